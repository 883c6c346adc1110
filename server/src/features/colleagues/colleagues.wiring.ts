import {
  changeColleague,
  inviteColleague,
  inviteColleagueAgain,
  listColleagues,
  removeColleague,
} from '@bancone/contract/colleagues'
import { paths } from '@bancone/contract/pages'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { RateLimits } from '../../platform/rate-limits.ts'
import { type colleagueLimits, createColleagues } from './colleagues.service.ts'
import { createColleaguesStore } from './colleagues.store.ts'

type Dependencies = {
  db: Database
  auth: Pick<AuthService, 'invitedUsers' | 'settings'>
  limits: RateLimits<keyof typeof colleagueLimits>
  isAdministrator(userId: string): Promise<boolean>
  onChanged(userId: string): void
}

export function wireColleagues({ db, auth, ...rest }: Dependencies): AppModule {
  const colleagues = createColleagues({
    ...rest,
    store: createColleaguesStore(db),
    storeIn: createColleaguesStore,
    accounts: auth.invitedUsers,
    audit: createAudit(db),
    invitationPage: new URL(`${paths.resetPassword}?type=invite`, auth.settings.publicUrl),
  })
  return {
    routes({ serve }) {
      serve(listColleagues, async (_input, session) => ({
        colleagues: await colleagues.list(session),
      }))

      serve(inviteColleague, ({ body }, session, call) =>
        colleagues.invite(session, body, callerFrom(call)),
      )

      serve(changeColleague, ({ params, body }, session, call) =>
        colleagues.change(session, params.colleagueId, body, callerFrom(call)),
      )

      serve(inviteColleagueAgain, ({ params }, session, call) =>
        colleagues.inviteAgain(session, params.colleagueId, callerFrom(call)),
      )

      serve(removeColleague, async ({ params }, session, call) => {
        await colleagues.remove(session, params.colleagueId, callerFrom(call))
        return {}
      })
    },
  }
}
