import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPagePath } from '@bancone/contract/pages'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { sendError } from './error-handler.ts'

/**
 * The built web application. Hashed assets may be kept for ever, the page itself never; an address that
 * is no page of ours gets the application too, which says so, with status 404.
 */
export async function pages(
  app: FastifyInstance,
  { folder, previewHosts }: { folder: string; previewHosts: readonly string[] },
) {
  const built = existsSync(folder)
  const preview = previewHosts.length > 0 && built ? await previewPage(folder) : ''
  const assets = join(folder, 'assets/')
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      // A route for each file: a wildcard would answer for addresses that other parts refuse better.
      wildcard: false,
      cacheControl: false,
      setHeaders(reply, path) {
        const kept = path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache'
        reply.setHeader('Cache-Control', kept)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const known = isPagePath(path)
    const { accept = '*/*' } = request.headers
    // A browser names HTML; a preview or a monitor takes anything, and is shown the pages there are.
    const wantsPage = accept.includes('text/html') || (known && accept.includes('*/*'))
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!built || !reads || !wantsPage || path.startsWith('/api/')) {
      return sendError(new AppError('route.not_found'), request, reply)
    }
    reply.code(known ? 200 : 404)
    if (!previewHosts.includes(request.hostname.toLowerCase())) return reply.sendFile('index.html')
    return reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(preview)
  })
}

/** The page that tells itself that it is a preview: there, a reload begins from nothing. */
async function previewPage(folder: string): Promise<string> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  return page.replace('</head>', '<meta name="bancone-preview" content="1"></head>')
}
