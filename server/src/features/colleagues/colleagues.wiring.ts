import { paths } from '@bancone/contract/pages'
import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import { callerFrom } from '../../platform/auth/protocol.ts'
import type { RateLimits } from '../../platform/rate-limits.ts'
import { colleagueRoutes } from './colleagues.routes.ts'
import { type ColleagueLimitName, createColleagues } from './colleagues.service.ts'
import { createColleaguesStore } from './colleagues.store.ts'

type Dependencies = {
  db: Database
  auth: Pick<AuthService, 'invitedUsers' | 'settings'>
  limits: RateLimits<ColleagueLimitName>
  onChanged(userId: string): void
}

/** Wires the colleagues of a pharmacy. */
export function wireColleagues({ db, auth, ...rest }: Dependencies): AppModule {
  const colleagues = createColleagues({
    ...rest,
    store: createColleaguesStore(db),
    storeIn: createColleaguesStore,
    accounts: auth.invitedUsers,
    audit: createAudit(db),
    actorOf: (actorId, from) => ({ actorId, ...callerFrom(from) }),
    invitationPage: new URL(`${paths.resetPassword}?type=invite`, auth.settings.publicUrl),
  })
  return { routes: ({ serve }) => colleagueRoutes(serve, colleagues) }
}
