import type { FastifyInstance } from 'fastify'
import { matchesEtag } from '../../http/entity-tags.ts'
import { bytesOf, encodingFor } from './compressed-texts.ts'
import type { SiteMap } from './site-map.ts'

/** Routes for search engines. */
export function siteMapRoutes(app: FastifyInstance, siteMap: SiteMap) {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(siteMap.robots()),
  )

  app.get('/sitemap.xml', async (request, reply) => {
    const text = await siteMap.pages()
    reply
      .header('Cache-Control', 'public, max-age=60')
      .header('Vary', 'Accept-Encoding')
      .header('ETag', `W/${text.tag}`)
    if (matchesEtag(request.headers['if-none-match'], text.tag)) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding']?.toString())
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
    return reply.type('application/xml; charset=utf-8').send(bytesOf(text, encoding))
  })
}
