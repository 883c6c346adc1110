import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Whether `If-None-Match` matches the ETag (weak comparison, RFC 9110), so that the response is a 304. */
export function matchesEtag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.some((one) => one === tag || one === '*')
}

/** Whether a browser sent the request. Programs send none of these headers; Node's fetch does send `sec-fetch-mode`. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site, 'user-agent': agent = '' } = headers
  return origin !== undefined || site !== undefined || agent.startsWith('Mozilla/')
}

type Allowed = Pick<FastifyCorsOptions, 'methods' | 'allowedHeaders' | 'exposedHeaders'>

/** Lets pages of these origins call the routes of a protocol. The package is loaded where there are any. */
export async function allowOrigins(
  app: FastifyInstance,
  origins: readonly string[],
  allowed: Allowed,
): Promise<void> {
  if (origins.length === 0) return
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, { ...allowed, origin: [...origins], maxAge: 600 })
}

/** Responses are not cached, but for those that say so. */
export function forbidCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })
}
