import {
  endAccountSession,
  listAccountActivity,
  listAccountSessions,
  listSignInMethods,
} from '@bancone/contract/account'
import type { Serve } from '../../http/serve.ts'
import type { AccountService } from './account.service.ts'

export function accountRoutes(serve: Serve, account: AccountService) {
  serve(listAccountSessions, async (_input, session) => ({
    sessions: await account.sessions(session),
  }))

  serve(endAccountSession, async ({ params }, session, call) => {
    await account.endSession(session, params.sessionId, call)
    return {}
  })

  serve(listAccountActivity, ({ query }, session) => account.activity(session, query.before))

  serve(listSignInMethods, () => ({ providers: account.signInMethods() }))
}
