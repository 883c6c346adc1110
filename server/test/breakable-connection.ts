import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type BreakableConnection = {
  url: string
  cut(): void
  down(isDown: boolean): void
  freeze(isFrozen: boolean): void
}

/**
 * A proxy to a database on this machine. A test can cut its connections, and refuse new ones while it is
 * `down`. While it is frozen it accepts connections, and passes nothing on; what was connected then stays silent.
 */
export async function breakableConnection(databaseUrl: string): Promise<BreakableConnection> {
  const url = new URL(databaseUrl)
  const port = Number(url.port)
  const sockets = new Set<Socket>()
  let isDown = false
  let isFrozen = false
  const server = createServer((socket) => {
    if (isFrozen) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      return
    }
    if (isDown) {
      socket.destroy()
      return
    }
    const onward = connect(port, '127.0.0.1')
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => sockets.delete(end))
    }
    socket.pipe(onward).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    cut,
    down(now) {
      isDown = now
      if (now) cut()
    },
    freeze(now) {
      isFrozen = now
      if (!now) return
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
  }
}
