import {
  changePharmacyEmail,
  getPharmacyAccount,
  resetSecondFactors,
  sendPharmacyLink,
} from '@bancone/contract/pharmacy-actions'
import type { Serve } from '../../http/serve.ts'
import type { PharmacyActions } from './pharmacy-actions.service.ts'
import type { PharmacyActionsStore } from './pharmacy-actions.store.ts'

export function pharmacyActionRoutes(
  serve: Serve,
  store: PharmacyActionsStore,
  actions: PharmacyActions,
) {
  serve(getPharmacyAccount, ({ params }) => store.account(params.pharmacyId))

  serve(resetSecondFactors, ({ params }, session, call) =>
    actions.resetFactors(session, params.pharmacyId, call),
  )

  serve(sendPharmacyLink, async ({ params }, session, call) => ({
    sent: await actions.sendLink(session, params.pharmacyId, call),
  }))

  serve(changePharmacyEmail, ({ params, body }, session, call) =>
    actions.changeEmail(session, params.pharmacyId, body.email, call),
  )
}
