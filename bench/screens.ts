import { once } from 'node:events'
import { WebSocket } from 'ws'
import { z } from 'zod'

const Broadcast = z.tuple([
  z.null(),
  z.null(),
  z.string(),
  z.literal('broadcast'),
  z.object({
    event: z.enum(['orders', 'priority']),
    payload: z.object({ ids: z.array(z.string()).default([]) }),
  }),
])

export type Screen = { close(): void }

/**
 * A dashboard that is open, as far as the server can tell: a socket that has joined the pharmacy's topic.
 *
 * @param address of whom it pretends to come: one address has so many sockets and no more
 * @param onEvent is called with the record ids of each event of orders, and with none at an event of priority access
 */
export async function openScreen(
  server: string,
  { token, pharmacyId, address }: { token: string; pharmacyId: string; address: string },
  onEvent: (ids: string[]) => void,
): Promise<Screen> {
  const url = `${server.replace('http', 'ws')}/realtime/v1/websocket?apikey=bancone&vsn=2.0.0`
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    headers: { 'x-forwarded-for': address },
  })
  await once(socket, 'open')
  const joined: Promise<unknown[]> = once(socket, 'message')
  const topic = `realtime:pharmacy:${pharmacyId}`
  const config = { private: true, presence: { enabled: false } }
  socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config, access_token: token }]))
  const [answer] = await joined
  if (!String(answer).includes('"status":"ok"')) throw new Error(`not joined: ${String(answer)}`)
  socket.on('message', (data: Buffer) => {
    const [, , , , { payload }] = Broadcast.parse(JSON.parse(data.toString()))
    onEvent(payload.ids)
  })
  return { close: () => socket.terminate() }
}
