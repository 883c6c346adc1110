import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { logFailure } from './request-log.ts'

/**
 * `/healthz`: the process is running. `/readyz`: it can handle requests, and what they write.
 *
 * @param isDraining whether the server is about to stop
 */
export function healthRoutes(
  app: FastifyInstance,
  isReady: () => Promise<boolean>,
  isDraining: () => boolean,
) {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const ready =
      !isDraining() &&
      (await isReady().catch((error: unknown) => {
        logFailure(request, error)
        return false
      }))
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
}

type Text = Pick<Metrics, 'contentType' | 'text'>

/** `/metrics` beside everything else, for those who send the token. Others learn nothing, not even that it is there. */
export function metricsRoute(app: FastifyInstance, metrics: Text, token: string): void {
  app.get('/metrics', async (request, reply) => {
    if (!isAllowed(request.headers.authorization, token)) throw new AppError('route.not_found')
    reply.type(metrics.contentType).header('Cache-Control', 'no-store')
    return metrics.text()
  })
}

/**
 * `/metrics` on a port of its own, where nothing else is.
 *
 * @param token required of every reader; undefined: none is, and the port must not be reachable from outside
 * @throws an Error with a `code` when it cannot listen there
 */
export async function listenForMetrics(
  metrics: Text,
  { host, port, token }: { host: string; port: number; token: string | undefined },
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    const isKnown = path === '/metrics' && request.method === 'GET'
    if (!isKnown || (token !== undefined && !isAllowed(request.headers.authorization, token))) {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function isAllowed(authorization: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${token}`))
}
