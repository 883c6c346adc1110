import type { AppModule } from '../../http/app-module.ts'
import { createKeyedBatches } from '../../platform/batches.ts'
import type { Context } from '../../platform/context.ts'
import { createMemoryRateLimits } from '../../platform/rate-limits.ts'
import type { PageRenderers } from '../../ports/page-renderer.ts'
import { createExclusions } from './exclusions.ts'
import { createFolding } from './folding.ts'
import { type CountingPageSources, countingRoutes, pageViewRoutes } from './page-views.routes.ts'
import {
  createPageViews,
  type PagePharmacy,
  type PageViewsService,
  pageEventLimits,
} from './page-views.service.ts'
import { createPageViewsStore, type PageEvent, pageViewBacklog } from './page-views.store.ts'
import { pageViewsTasks, preparePageViewDays } from './page-views-jobs.ts'
import { createVisitorSaltsStore } from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'

type Dependencies = Context & {
  /** The pharmacy of a public page by its code; null when it does not exist. */
  pharmacyOfPage(code: string): Promise<PagePharmacy | null>
  pharmacy: CountingPageSources['pharmacy']
  /** Undefined when no pages are built. */
  renderer: PageRenderers['counting']
  /** Base URL of the application. */
  publicUrl: string
  /** Days for which page views are kept. */
  retentionDays(): Promise<number>
}

export type PageViewsModule = AppModule & {
  /** Adds what has been recorded until now to the figures. */
  fold(): Promise<void>
  pageRequested: PageViewsService['pageRequested']
}

/** Milliseconds for which the first event of a batch waits for others, and the most events of a batch. */
const BATCH_WAIT_MS = 25
const MAX_BATCH = 200

/** Wires the counting of page views. */
export function wirePageViews(dependencies: Dependencies): PageViewsModule {
  const { db, pharmacyOfPage, pharmacy, renderer, publicUrl, retentionDays, clock, log } =
    dependencies
  const salts = createVisitorSaltsStore(db)
  const store = createPageViewsStore(db)
  const batches = createKeyedBatches((_key, events: readonly PageEvent[]) => store.record(events), {
    waitMs: BATCH_WAIT_MS,
    max: MAX_BATCH,
  })
  const add = (event: PageEvent) => batches.add('', event)
  const exclusions = createExclusions({ add, clock, log })
  const folding = createFolding({ store, log })
  const pageViews = createPageViews({
    pharmacyOfPage,
    salts: createVisitorSalts(salts, clock),
    add,
    exclusions,
    limits: createMemoryRateLimits(pageEventLimits),
    ownOrigin: new URL(publicUrl).origin,
    clock,
  })
  return {
    fold: folding.fold,
    pageRequested: pageViews.pageRequested,
    routes({ app, serve }) {
      pageViewRoutes(serve, pageViews)
      if (renderer) countingRoutes(app, { pharmacy, store, retentionDays, renderer })
    },
    tasks: pageViewsTasks({ pageViews: store, salts, retentionDays, clock, log }),
    backlogs: pageViewBacklog,
    start() {
      folding.start()
      preparePageViewDays(store, clock).catch((error: unknown) => {
        // Page views create the partition of their day, too.
        log.warn({ err: error }, 'the days of page views could not be prepared')
      })
    },
    async close() {
      await exclusions.close()
      await batches.idle()
      await folding.close()
    },
  }
}
