import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPagePath } from '@bancone/contract/admin-pages'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/app-error.ts'
import { sendError } from './error-handler.ts'

type Options = {
  folder: string
  previewHosts: readonly string[]
  /** Headers of single pages by their path, in place of the general ones. */
  headersOf: Readonly<Record<string, Record<string, string>>>
}

/** Where the build puts files whose names have a hash of their content. */
const ASSETS = 'assets'

/**
 * Serves the built web application. Hashed assets are cached for ever, the page is revalidated. An unknown page path
 * gets the application too, with status 404, and the application shows that the page does not exist.
 */
export async function pageRoutes(
  app: FastifyInstance,
  { folder, previewHosts, headersOf }: Options,
) {
  const built = existsSync(folder)
  const preview = previewHosts.length > 0 && built ? await previewPage(folder) : ''
  if (built) {
    const general = { preCompressed: true, index: false, cacheControl: false } as const
    await app.register(fastifyStatic, {
      ...general,
      root: folder,
      // A route for each file: a wildcard route would hide the more specific 404 responses of other routes.
      wildcard: false,
      globIgnore: [`${ASSETS}/**`],
      setHeaders(reply) {
        reply.setHeader('Cache-Control', 'no-cache')
      },
    })
    await app.register(fastifyStatic, {
      ...general,
      root: join(folder, ASSETS),
      prefix: `/${ASSETS}/`,
      decorateReply: false,
      setHeaders(reply) {
        reply.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const known = isPagePath(path)
    const { accept = '*/*' } = request.headers
    // Browsers accept HTML explicitly; link previews and monitors send `*/*` and get the known pages.
    const wantsPage = accept.includes('text/html') || (known && accept.includes('*/*'))
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!built || !reads || !wantsPage || path.startsWith('/api/')) {
      return sendError(new AppError('route.not_found'), request, reply)
    }
    reply.code(known ? 200 : 404).headers(headersOf[path] ?? {})
    if (!previewHosts.includes(request.hostname.toLowerCase())) return reply.sendFile('index.html')
    return reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(preview)
  })
}

/** The page with a marker for preview hosts, where the application clears the browser storage on each load. */
async function previewPage(folder: string): Promise<string> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  return page.replace('</head>', '<meta name="bancone-preview" content="1"></head>')
}
