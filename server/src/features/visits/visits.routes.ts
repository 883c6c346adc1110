import { paths } from '@bancone/contract/pages'
import { recordVisit } from '@bancone/contract/visits'
import type { FastifyInstance } from 'fastify'
import { sendCompressed } from '../../http/compressed-texts.ts'
import type { Serve } from '../../http/serve.ts'
import type { CountingPages } from './counting-pages.ts'
import type { VisitsService } from './visits.service.ts'

export function visitRoutes(serve: Serve, visits: VisitsService) {
  serve(recordVisit, async ({ body, headers }, _session, { ip }) => {
    await visits.record(body, headers, ip)
    return {}
  })
}

/** `countingPath` of each pharmacy. */
export function countingRoutes(app: FastifyInstance, page: CountingPages) {
  app.get<{ Params: { code: string } }>(
    `${paths.offers}/:code/che-cosa-contiamo`,
    async ({ params }, reply) => {
      const found = await page(params.code)
      if (found === undefined) return reply.callNotFound()
      return sendCompressed(reply.header('Cache-Control', 'no-cache'), 'text/html', found)
    },
  )
}
