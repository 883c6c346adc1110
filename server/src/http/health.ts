import type { FastifyInstance } from 'fastify'
import { logFailure } from './request-log.ts'

/** `/healthz`: the process is running. `/readyz`: it can handle requests, and what they write. */
export function healthRoutes(app: FastifyInstance, isReady: () => Promise<boolean>) {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const ready = await isReady().catch((error: unknown) => {
      logFailure(request, error)
      return false
    })
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
}
