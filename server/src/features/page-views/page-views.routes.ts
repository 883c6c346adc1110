import { type CountingPage, recordPageEvent } from '@bancone/contract/page-views'
import { paths } from '@bancone/contract/pages'
import type { FastifyInstance } from 'fastify'
import { compressText, sendCompressed } from '../../http/compressed-texts.ts'
import type { Serve } from '../../http/serve.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import {
  MAX_NETWORK_VISITORS,
  type PageViewsService,
  pageEventLimits,
} from './page-views.service.ts'
import type { PageViewsStore } from './page-views.store.ts'

export function pageViewRoutes(serve: Serve, pageViews: PageViewsService) {
  serve(recordPageEvent, async ({ body, headers }, _session, { ip }) => {
    await pageViews.record(body, headers, ip)
    return {}
  })
}

export type CountingPageSources = {
  /** By code, regardless of case. */
  pharmacy(
    code: string,
  ): Promise<{ id: string; code: string; name: string; isActive: boolean } | undefined>
  store: Pick<PageViewsStore, 'countingOf'>
  /** Days for which page views are kept. */
  retentionDays(): Promise<number>
  renderer: PageRenderer<CountingPage>
}

/** The pages that say to customers what is counted, made of the settings: `countingPath` of each pharmacy. */
export function countingRoutes(
  app: FastifyInstance,
  { pharmacy, store, retentionDays, renderer }: CountingPageSources,
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
