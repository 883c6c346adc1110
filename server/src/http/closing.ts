import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds an answer that is under way may take when the server stops. */
const GRACE_MS = 5_000

/**
 * Stops promptly. A browser opens connections ahead of need, which Node takes for busy ones, and keeps
 * the one that an answer came on: stopping would wait a minute for either.
 */
export function closePromptly(app: FastifyInstance, graceMs = GRACE_MS): void {
  const unused = new Set<Socket>()
  // Of these Node's server forgets that they are there, and yet waits for them.
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
    if (closing) reply.header('Connection', 'close')
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
