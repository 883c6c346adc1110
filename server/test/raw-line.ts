import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A line to a port of this machine on which everything is said by hand; it ends with the test. */
export async function rawLine(port: number): Promise<{ socket: Socket; heard(): string }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let heard = ''
  socket.on('data', (piece) => {
    heard += String(piece)
  })
  await once(socket, 'connect')
  return { socket, heard: () => heard }
}
