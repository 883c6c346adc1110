import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that responses in progress have to complete when the server stops. */
const GRACE_MS = 5_000

/**
 * Closes idle connections when the server stops. Browsers open connections speculatively, which Node counts as active,
 * and keep used ones alive: without this, closing the server would wait a minute for either. While the server is about to
 * stop, each response is the last one of its connection.
 */
export function closeConnectionsOnShutdown(
  app: FastifyInstance,
  isDraining: () => boolean,
  graceMs = GRACE_MS,
): void {
  const unused = new Set<Socket>()
  // Node does not track upgraded sockets in `closeAllConnections`, but waits for them.
  const upgraded = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.server.on('upgrade', ({ socket }) => {
    unused.delete(socket)
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || isDraining()) reply.header('Connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of unused) socket.destroy()
    setTimeout(() => {
      app.server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    }, graceMs).unref()
  })
}
