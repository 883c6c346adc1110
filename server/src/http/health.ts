import type { FastifyInstance } from 'fastify'
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
