import type { FastifyRequest } from 'fastify'

/** Whether a browser sent the request. Programs send none of these headers; Node's fetch does send `sec-fetch-mode`. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site, 'user-agent': agent = '' } = headers
  return origin !== undefined || site !== undefined || agent.startsWith('Mozilla/')
}
