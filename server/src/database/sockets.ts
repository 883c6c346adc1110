import { Socket } from 'node:net'
import { settledWithin } from '../base/settled-within.ts'

/** Milliseconds for connections to be ended in order. A database that does not answer never ends its side. */
const END_MS = 2_000

export type Sockets = ReturnType<typeof createSockets>

/**
 * The sockets of a process to its database. When the network or the database fails silently, statements would wait for
 * their time limit: closing all sockets makes them fail at once, and pools connect anew.
 *
 * @param make makes a socket; `create` of other sockets, where these are a part of them
 */
export function createSockets(make: () => Socket = () => new Socket()) {
  const open = new Set<Socket>()
  return {
    /** The option `stream` of a client of pg. */
    create(): Socket {
      const socket = make()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      return socket
    },
    closeAll() {
      for (const socket of open) socket.destroy()
    },
    /** Waits for the end of connections, and closes all sockets that are then still open. */
    async closeAfter(ending: Promise<unknown>): Promise<void> {
      await settledWithin(ending, END_MS)
      for (const socket of open) socket.destroy()
      await settledWithin(ending, END_MS)
    },
  }
}
