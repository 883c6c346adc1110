import { AppError } from '../../app-error.ts'
import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import type { Sessions } from '../../http/session.ts'
import type { RateLimits } from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import { oldVisitTasks } from './old-visits-job.ts'
import { createVisitorSaltsStore } from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'
import { pastSaltTasks } from './visitor-salts-job.ts'
import { visitRoutes } from './visits.routes.ts'
import { createVisits, type VisitLimitName } from './visits.service.ts'
import { createVisitsStore } from './visits.store.ts'

type Dependencies = {
  db: Database
  sessions: Pick<Sessions, 'authenticate'>
  limits: RateLimits<VisitLimitName>
  /** Days for which visits are kept. */
  retentionDays(): Promise<number>
  clock: Clock
  log: { info(details: object, message: string): void }
}

/** Wires the counting of visits. */
export function wireVisits({
  db,
  sessions,
  limits,
  retentionDays,
  clock,
  log,
}: Dependencies): AppModule {
  const salts = createVisitorSaltsStore(db)
  const store = createVisitsStore(db)
  const visits = createVisits({
    store,
    salts: createVisitorSalts(salts),
    isStaff: (authorization) => isSignedIn(sessions, authorization),
    limits,
    clock,
  })
  return {
    routes: ({ serve }) => visitRoutes(serve, visits),
    tasks: {
      ...pastSaltTasks({ salts, clock, log }),
      ...oldVisitTasks({ visits: store, retentionDays, clock, log }),
    },
  }
}

async function isSignedIn(
  sessions: Pick<Sessions, 'authenticate'>,
  authorization: string,
): Promise<boolean> {
  try {
    await sessions.authenticate(authorization)
    return true
  } catch (error) {
    // A user whose second factor is still missing is staff, too.
    if (error instanceof AppError) return error.status === 403
    throw error
  }
}
