import type { AppModule } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import { createMemoryRateLimits } from '../../platform/rate-limits.ts'
import type { PageRenderers } from '../../ports/page-renderer.ts'
import { createExclusions } from './exclusions.ts'
import { createFolding } from './folding.ts'
import { createVisitBatches } from './visit-batches.ts'
import { createVisitorSaltsStore } from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'
import { type CountingPageSources, countingRoutes, visitRoutes } from './visits.routes.ts'
import {
  createVisits,
  type PagePharmacy,
  type VisitsService,
  visitLimits,
} from './visits.service.ts'
import { createVisitsStore, visitBacklog } from './visits.store.ts'
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

/** Wires the counting of visits. */
export function wireVisits(dependencies: Dependencies): VisitsModule {
  const { db, pharmacyOfPage, pharmacy, renderer, publicUrl, retentionDays, clock, log } =
    dependencies
  const salts = createVisitorSaltsStore(db)
  const store = createVisitsStore(db)
  const batches = createVisitBatches(store.record)
  const exclusions = createExclusions({ add: batches.add, clock, log })
  const folding = createFolding({ store, log })
  const visits = createVisits({
    pharmacyOfPage,
    salts: createVisitorSalts(salts, clock),
    batches,
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
      const recorded = exclusions.close()
      await batches.flush()
      await recorded
      await folding.close()
    },
  }
}
