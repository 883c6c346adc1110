import { once } from 'node:events'
import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Listening } from './servers.ts'

export type RawSocket = {
  socket: WebSocket
  /** The received frames, as JSON. */
  frames: unknown[]
  send(frame: unknown): void
  /** The close code sent by the server. */
  closed: Promise<number>
}

/** A socket without a client library. */
export async function rawSocket(
  { port }: Listening,
  { query = 'apikey=bancone&vsn=2.0.0', headers = {} } = {},
): Promise<RawSocket> {
  const url = `ws://127.0.0.1:${port}/realtime/v1/websocket?${query}`
  const socket = new WebSocket(url, { headers })
  onTestFinished(() => socket.terminate())
  const frames: unknown[] = []
  socket.on('message', (data: Buffer, binary) => {
    if (!binary) frames.push(JSON.parse(data.toString()))
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  return { socket, frames, closed, send: (frame) => socket.send(JSON.stringify(frame)) }
}

/** The response to a WebSocket handshake; 101 on success. */
export function handshake(
  { port }: Listening,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      path,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
        ...headers,
      },
    })
    asked.on('error', reject)
    asked.on('upgrade', (_reply, socket) => {
      socket.destroy()
      resolve({ status: 101, body: '' })
    })
    asked.on('response', (reply) => {
      let body = ''
      reply.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
    })
    asked.end()
  })
}
