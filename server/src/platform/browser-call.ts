import type { FastifyRequest } from 'fastify'

/** Programs of ours and of others send none of these; Node's fetch does name a mode of fetching. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site, 'user-agent': agent = '' } = headers
  return origin !== undefined || site !== undefined || agent.startsWith('Mozilla/')
}
