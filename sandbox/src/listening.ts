import { once } from 'node:events'
import type { Server } from 'node:http'

export type ListenOptions = { host?: string; port?: number }

/** Listens on the given port, or a free one. */
export async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ListenOptions) {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the sandbox has no port')
  return {
    origin: `http://${host}:${address.port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
