import { paths } from '@bancone/contract/pages'
import {
  changePharmacyEmail,
  getPharmacyAccount,
  resetSecondFactors,
  sendPharmacyLink,
} from '@bancone/contract/pharmacy-actions'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import { createPharmacyActions } from './pharmacy-actions.service.ts'
import { createPharmacyActionsStore } from './pharmacy-actions.store.ts'

type Dependencies = {
  db: Database
  auth: Pick<AuthService, 'factors' | 'invitedUsers' | 'reauthentication' | 'settings' | 'users'>
}

export function wirePharmacyActions({ db, auth }: Dependencies): AppModule {
  const store = createPharmacyActionsStore(db)
  const page = (type: string) =>
    new URL(`${paths.resetPassword}?type=${type}`, auth.settings.publicUrl)
  const actions = createPharmacyActions({
    store,
    auth,
    pages: { invitation: page('invite'), recovery: page('recovery') },
  })
  return {
    routes({ serve }) {
      serve(getPharmacyAccount, ({ params }) => store.account(params.pharmacyId))

      serve(resetSecondFactors, ({ params }, session, call) =>
        actions.resetFactors(session, params.pharmacyId, callerFrom(call)),
      )

      serve(sendPharmacyLink, async ({ params }, session, call) => ({
        sent: await actions.sendLink(session, params.pharmacyId, callerFrom(call)),
      }))

      serve(changePharmacyEmail, ({ params, body }, session, call) =>
        actions.changeEmail(session, params.pharmacyId, body.email, callerFrom(call)),
      )
    },
  }
}
