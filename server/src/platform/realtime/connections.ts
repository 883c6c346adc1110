import { randomUUID } from 'node:crypto'
import { settledWithin } from '../../base/settled-within.ts'
import type { Connection, NewConnection } from './channels.ts'
import type { FrameEncoder } from './frames.ts'
import type { Limits, Timing } from './limits.ts'

/** The WebSocket close codes in use (RFC 6455, 7.4.1). */
export const closeCodes = {
  goingAway: 1001,
  invalidPayload: 1007,
  policyViolation: 1008,
  internalError: 1011,
} as const

/** The open sockets of this process. Idle times are measured by a monotonic clock. */
export function createConnections(limits: Limits, timing: Timing) {
  const open = new Set<Connection>()
  const networks = new Map<string, number>()

  const countOf = (network: string) => networks.get(network) ?? 0

  return {
    hasRoom: (network: string) => countOf(network) < limits.connections,

    count: () => open.size,

    add(given: NewConnection): Connection {
      const now = performance.now()
      const connection: Connection = {
        ...given,
        id: randomUUID(),
        channels: new Map(),
        joining: new Map(),
        lastActiveAt: now,
        pingedAt: now,
        noChannelSince: now,
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

    send(connection: Connection, prepared: FrameEncoder) {
      const { socket, version } = connection
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > limits.sendBufferBytes) {
        socket.terminate()
        return
      }
      const outgoing = prepared(version)
      if (outgoing) socket.send(outgoing.data, { binary: outgoing.binary })
    },

    /** Terminates dead sockets, pings idle ones, and closes those without a channel. */
    sweep() {
      const now = performance.now()
      for (const connection of open) {
        const { socket, lastActiveAt, pingedAt, noChannelSince, channels } = connection
        if (now - lastActiveAt > timing.idleTimeout) {
          socket.terminate()
        } else if (channels.size === 0 && now - noChannelSince > timing.noChannelTimeout) {
          socket.close(closeCodes.policyViolation, 'no channel was joined')
        } else if (now - Math.max(lastActiveAt, pingedAt) > timing.pingInterval) {
          connection.pingedAt = now
          socket.ping()
        }
      }
    },

    /** Clients reconnect by themselves, to another process. */
    async closeAll() {
      const goodbyes = [...open].map(
        ({ socket }) =>
          new Promise<void>((resolve) => {
            socket.once('close', () => resolve())
            socket.close(closeCodes.goingAway, 'the server is stopping')
          }),
      )
      await settledWithin(Promise.all(goodbyes), timing.closeTimeout)
      for (const { socket } of open) socket.terminate()
    },
  }
}
