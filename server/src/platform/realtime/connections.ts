import { createPace, type Limits, type Timing } from './bounds.ts'
import type { Connection } from './channel.ts'
import type { Prepared } from './frames.ts'

/** How the protocol calls them: RFC 6455, 7.4.1. */
export const closeCodes = { leaving: 1001, malformed: 1007, policy: 1008, failed: 1011 } as const

/** The open sockets of this process. Their silence is measured by a clock that nobody sets. */
export function createConnections(limits: Limits, timing: Timing) {
  const open = new Set<Connection>()
  const networks = new Map<string, number>()

  const countOf = (network: string) => networks.get(network) ?? 0

  return {
    hasRoom: (network: string) => countOf(network) < limits.connections,

    add(given: Pick<Connection, 'socket' | 'version' | 'key' | 'token' | 'network'>): Connection {
      const now = performance.now()
      const connection: Connection = {
        ...given,
        channels: new Map(),
        joining: new Map(),
        pace: createPace(limits.messagesPerSecond, 3 * limits.messagesPerSecond),
        presencePace: createPace(limits.presences / 30, limits.presences),
        heardAt: now,
        pingedAt: now,
        aloneSince: now,
      }
      open.add(connection)
      networks.set(given.network, countOf(given.network) + 1)
      return connection
    },

    remove(connection: Connection) {
      if (!open.delete(connection)) return
      const left = countOf(connection.network) - 1
      if (left > 0) networks.set(connection.network, left)
      else networks.delete(connection.network)
      connection.joining.clear()
    },

    send(connection: Connection, prepared: Prepared) {
      const { socket, version } = connection
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > limits.waitingBytes) {
        socket.terminate()
        return
      }
      const outgoing = prepared(version)
      if (outgoing) socket.send(outgoing.data, { binary: outgoing.binary })
    },

    /** Ends what is dead, asks what is silent, and closes what is of no use. */
    sweep() {
      const now = performance.now()
      for (const connection of open) {
        const { socket, heardAt, pingedAt, aloneSince, channels } = connection
        if (now - heardAt > timing.silence) {
          socket.terminate()
        } else if (channels.size === 0 && now - aloneSince > timing.unjoined) {
          socket.close(closeCodes.policy, 'no channel was joined')
        } else if (now - Math.max(heardAt, pingedAt) > timing.ping) {
          connection.pingedAt = now
          socket.ping()
        }
      }
    },

    /** The clients come back by themselves, to a server that is not stopping. */
    async closeAll() {
      const goodbyes = [...open].map(
        ({ socket }) =>
          new Promise<void>((resolve) => {
            socket.once('close', () => resolve())
            socket.close(closeCodes.leaving, 'the server is stopping')
          }),
      )
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timing.goodbye)
      })
      await Promise.race([Promise.all(goodbyes), patience])
      clearTimeout(timer)
      for (const { socket } of open) socket.terminate()
    },
  }
}
