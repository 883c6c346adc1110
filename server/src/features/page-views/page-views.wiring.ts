import { addDays, dayOf } from '@bancone/contract/dates'
import { type CountingPage, ORDER_CODE_DAYS, recordPageEvent } from '@bancone/contract/page-views'
import { paths } from '@bancone/contract/pages'
import type { FastifyInstance } from 'fastify'
import type { AppModule } from '../../http/app-module.ts'
import { compressText, sendCompressed } from '../../http/compressed-texts.ts'
import { createKeyedBatches } from '../../platform/batches.ts'
import type { Context } from '../../platform/context.ts'
import type { Tasks } from '../../platform/jobs.ts'
import { createMemoryRateLimits } from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PageRenderer, PageRenderers } from '../../ports/page-renderer.ts'
import { createExclusions } from './exclusions.ts'
import { createFolding } from './folding.ts'
import {
  createPageViews,
  MAX_NETWORK_VISITORS,
  type PagePharmacy,
  type PageViewsService,
  pageEventLimits,
} from './page-views.service.ts'
import {
  createPageViewsStore,
  type PageEvent,
  type PageViewsStore,
  pageViewBacklog,
} from './page-views.store.ts'
import {
  createVisitorSaltsStore,
  PAST_SALTS_TASK,
  SALT_REMAINS_MS,
  type VisitorSaltsStore,
} from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'

type Dependencies = Context & {
  /** The pharmacy of a public page by its code; null when it does not exist. */
  pharmacyOfPage(code: string): Promise<PagePharmacy | null>
  /** By code, regardless of case. */
  pharmacy(
    code: string,
  ): Promise<{ id: string; code: string; name: string; isActive: boolean } | undefined>
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
      serve(recordPageEvent, async ({ body, headers }, _session, { ip }) => {
        await pageViews.record(body, headers, ip)
        return {}
      })
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

/** The pages that say to customers what is counted, made of the settings: `countingPath` of each pharmacy. */
function countingRoutes(
  app: FastifyInstance,
  {
    pharmacy,
    store,
    retentionDays,
    renderer,
  }: Pick<Dependencies, 'pharmacy' | 'retentionDays'> & {
    store: PageViewsStore
    renderer: PageRenderer<CountingPage>
  },
) {
  app.get<{ Params: { code: string } }>(
    `${paths.offers}/:code/che-cosa-contiamo`,
    async ({ params }, reply) => {
      const found = await pharmacy(params.code)
      if (!found?.isActive) return reply.callNotFound()
      const [counting, pageViewDays] = await Promise.all([
        store.countingOf(found.id),
        retentionDays(),
      ])
      const { points, seconds } = pageEventLimits['page-events-of-network']
      const page: CountingPage = {
        pharmacyName: found.name,
        pharmacyCode: found.code,
        ...counting,
        pageViewDays,
        limit: { events: points, minutes: seconds / 60, visitors: MAX_NETWORK_VISITORS },
      }
      const html = await compressText(await renderer.render(page))
      return sendCompressed(reply.header('Cache-Control', 'no-cache'), 'text/html', html)
    },
  )
}

export const PAGE_VIEW_DAYS_TASK = 'page-views.days'

/** Days for which there are partitions in advance. */
const AHEAD = 7

type TaskDependencies = Pick<Dependencies, 'clock' | 'retentionDays'> & {
  log: Pick<Log, 'info'>
  pageViews: Pick<PageViewsStore, 'createPartitions' | 'dropPartitions' | 'removeCodesBefore'>
  salts: Pick<VisitorSaltsStore, 'removeBefore'>
}

export function pageViewsTasks(dependencies: TaskDependencies): Tasks {
  const { pageViews, salts, retentionDays, clock, log } = dependencies
  return {
    /**
     * Creates the partitions of the next days, and removes page views and order codes that are older than they are
     * kept.
     */
    [PAGE_VIEW_DAYS_TASK]: {
      lane: 'maintenance',
      async run() {
        const today = dayOf(clock.now())
        await preparePageViewDays(pageViews, clock)
        const keptFrom = addDays(today, -(await retentionDays()))
        const codes = await pageViews.removeCodesBefore(addDays(today, -ORDER_CODE_DAYS))
        // Last, because it fails where the tables are in use; the run is repeated then.
        const partitions = await pageViews.dropPartitions(keptFrom, addDays(today, -1))
        log.info({ partitions, codes }, 'removed old page views')
      },
    },
    /** Deletes the salts of past days, which makes the pseudonyms of their visitors irreversible. */
    [PAST_SALTS_TASK]: {
      lane: 'maintenance',
      async run() {
        const removed = await salts.removeBefore(dayOf(clock.now() - SALT_REMAINS_MS))
        log.info({ removed }, 'removed the salts of past days')
      },
    },
  }
}

/** Creates the partitions of today and of the next days. */
function preparePageViewDays(
  pageViews: Pick<PageViewsStore, 'createPartitions'>,
  clock: Clock,
): Promise<void> {
  const today = dayOf(clock.now())
  return pageViews.createPartitions(today, addDays(today, AHEAD))
}
