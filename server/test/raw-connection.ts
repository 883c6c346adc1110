import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP connection to a port of this machine, closed at the end of the test. */
export async function rawConnection(port: number): Promise<{ socket: Socket; received(): string }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (piece) => {
    received += String(piece)
  })
  await once(socket, 'connect')
  return { socket, received: () => received }
}
