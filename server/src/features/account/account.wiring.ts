import {
  endAccountSession,
  listAccountActivity,
  listAccountSessions,
  listSignInMethods,
} from '@bancone/contract/account'
import type { OidcSettings } from '../../config/providers.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { Context } from '../../platform/context.ts'
import { createAccountService } from './account.service.ts'
import { createAccountStore } from './account.store.ts'

type Dependencies = Context & {
  auth: AuthService
  oidc: OidcSettings | undefined
}

export function wireAccount({ db, auth, oidc, clock }: Dependencies): AppModule {
  const account = createAccountService({
    store: createAccountStore(db),
    endSession: auth.sessions.endOne,
    clock,
  })
  const providers = oidc ? [{ id: oidc.provider, name: oidc.name }] : []
  return {
    routes({ serve }) {
      serve(listAccountSessions, async (_input, session) => ({
        sessions: await account.sessions(session),
      }))

      serve(endAccountSession, async ({ params }, session, call) => {
        await account.endSession(session, params.sessionId, callerFrom(call))
        return {}
      })

      serve(listAccountActivity, ({ query }, session) => account.activity(session, query.before))

      serve(listSignInMethods, () => ({ providers }))
    },
  }
}
