import type { FastifyInstance } from 'fastify'
import { sendCompressed } from '../../http/compressed-texts.ts'
import type { SiteMap } from './site-map.ts'

/** Routes for search engines. */
export function siteMapRoutes(app: FastifyInstance, siteMap: SiteMap) {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(siteMap.robots()),
  )

  app.get('/sitemap.xml', async (_request, reply) => {
    reply.header('Cache-Control', 'public, max-age=60')
    return sendCompressed(reply, 'application/xml', await siteMap.pages())
  })
}
