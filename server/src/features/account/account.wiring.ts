import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import type { AuthService, OidcSettings } from '../../platform/auth/auth.service.ts'
import { callerFrom } from '../../platform/auth/protocol.ts'
import { INACTIVITY_TIMEOUT_DAYS, MAX_SESSION_DAYS } from '../../platform/auth/refresh-grant.ts'
import type { Clock } from '../../ports/clock.ts'
import { accountRoutes } from './account.routes.ts'
import { createAccountService } from './account.service.ts'
import { createAccountStore } from './account.store.ts'

type Dependencies = {
  db: Database
  auth: AuthService
  oidc: OidcSettings | undefined
  clock: Clock
}

/** Wires what users see of their own account. */
export function wireAccount({ db, auth, oidc, clock }: Dependencies): AppModule {
  const account = createAccountService({
    store: createAccountStore(db),
    endSession: (userId, sessionId, from) =>
      auth.sessions.endOne(userId, sessionId, callerFrom(from)),
    idleDays: INACTIVITY_TIMEOUT_DAYS,
    sessionDays: MAX_SESSION_DAYS,
    provider: oidc && { id: oidc.provider, name: oidc.name },
    clock,
  })
  return { routes: ({ serve }) => accountRoutes(serve, account) }
}
