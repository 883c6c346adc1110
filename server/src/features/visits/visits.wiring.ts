import type { AppModule } from '../../http/app-module.ts'
import { createKeyedBatches } from '../../platform/batches.ts'
import type { Context } from '../../platform/context.ts'
import { createMemoryRateLimits } from '../../platform/rate-limits.ts'
import type { PageRenderers } from '../../ports/page-renderer.ts'
import { createExclusions } from './exclusions.ts'
import { createFolding } from './folding.ts'
import { createVisitorSaltsStore } from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'
import { type CountingPageSources, countingRoutes, visitRoutes } from './visits.routes.ts'
import {
  createVisits,
  type PagePharmacy,
  type VisitsService,
  visitLimits,
} from './visits.service.ts'
import { createVisitsStore, type StoredVisit, visitBacklog } from './visits.store.ts'
import { prepareVisitDays, visitsTasks } from './visits-jobs.ts'

type Dependencies = Context & {
  /** The pharmacy of a public page by its code; null when it does not exist. */
  pharmacyOfPage(code: string): Promise<PagePharmacy | null>
  pharmacy: CountingPageSources['pharmacy']
  /** Undefined when no pages are built. */
  renderer: PageRenderers['counting']
  /** Base URL of the application. */
  publicUrl: string
  /** Days for which visits are kept. */
  retentionDays(): Promise<number>
}

export type VisitsModule = AppModule & {
  /** Adds what has been recorded until now to the figures. */
  fold(): Promise<void>
  pageRequested: VisitsService['pageRequested']
}

/** Milliseconds for which the first visit of a batch waits for others, and the most visits of a batch. */
const BATCH_WAIT_MS = 25
const MAX_BATCH = 200

/** Wires the counting of visits. */
export function wireVisits(dependencies: Dependencies): VisitsModule {
  const { db, pharmacyOfPage, pharmacy, renderer, publicUrl, retentionDays, clock, log } =
    dependencies
  const salts = createVisitorSaltsStore(db)
  const store = createVisitsStore(db)
  const batches = createKeyedBatches(
    (_key, visits: readonly StoredVisit[]) => store.record(visits),
    { waitMs: BATCH_WAIT_MS, max: MAX_BATCH },
  )
  const add = (visit: StoredVisit) => batches.add('', visit)
  const exclusions = createExclusions({ add, clock, log })
  const folding = createFolding({ store, log })
  const visits = createVisits({
    pharmacyOfPage,
    salts: createVisitorSalts(salts, clock),
    add,
    exclusions,
    limits: createMemoryRateLimits(visitLimits),
    ownOrigin: new URL(publicUrl).origin,
    clock,
  })
  return {
    fold: folding.fold,
    pageRequested: visits.pageRequested,
    routes({ app, serve }) {
      visitRoutes(serve, visits)
      if (renderer) countingRoutes(app, { pharmacy, store, retentionDays, renderer })
    },
    tasks: visitsTasks({ visits: store, salts, retentionDays, clock, log }),
    backlogs: visitBacklog,
    start() {
      folding.start()
      prepareVisitDays(store, clock).catch((error: unknown) => {
        // Visits create the partition of their day, too.
        log.warn({ err: error }, 'the days of visits could not be prepared')
      })
    },
    async close() {
      await exclusions.close()
      await batches.idle()
      await folding.close()
    },
  }
}
