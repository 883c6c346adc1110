import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { logFailure } from '../platform/request-log.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'

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

/**
 * `/metrics` on a port of its own, where nothing else is, and which must not be reachable from outside.
 *
 * @throws an Error with a `code` when it cannot listen there
 */
export async function listenForMetrics(
  metrics: Text,
  { host, port }: { host: string; port: number },
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== '/metrics' || request.method !== 'GET') {
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
