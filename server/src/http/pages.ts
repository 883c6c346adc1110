import { existsSync } from 'node:fs'
import { isPagePath } from '@bancone/contract/pages'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { sendError } from './error-handler.ts'

/**
 * The built web application. Hashed assets may be kept for ever, the page itself never; an address that
 * is no page of ours gets the application too, which says so, with status 404.
 */
export async function pages(app: FastifyInstance, folder: string) {
  const built = existsSync(folder)
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      cacheControl: false,
      setHeaders(reply, path) {
        const kept = path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
        reply.setHeader('Cache-Control', kept)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const wantsPage =
      request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (!built || !wantsPage || path.startsWith('/api/')) {
      return sendError(new AppError('route.not_found'), request, reply)
    }
    return reply.code(isPagePath(path) ? 200 : 404).sendFile('index.html')
  })
  if (built) app.get('/', (_request, reply) => reply.sendFile('index.html'))
}
