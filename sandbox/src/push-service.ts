import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type ListenOptions, listen } from './listening.ts'
import { createDevice, type Device } from './push-service/device.ts'
import { Refusal } from './push-service/refusal.ts'
import { checkVapid } from './push-service/vapid.ts'

const URGENCIES = new Set(['very-low', 'low', 'normal', 'high'])

/** The message size that a service must accept, in bytes (RFC 8030, 7.2). */
const MAX_BYTES = 4096

/** Checks the headers that RFC 8030 requires of a push message. @throws Refusal 400, 413, 415 */
function checkPushRequest(headers: IncomingHttpHeaders, body: Buffer) {
  const { ttl = '', urgency = 'normal', topic = null } = headers
  if (typeof ttl !== 'string' || !/^\d{1,10}$/.test(ttl)) throw new Refusal(400, 'no TTL')
  if (typeof urgency !== 'string' || !URGENCIES.has(urgency)) throw new Refusal(400, 'bad Urgency')
  if (topic !== null && (typeof topic !== 'string' || !/^[\w-]{1,32}$/.test(topic))) {
    throw new Refusal(400, 'bad Topic')
  }
  if (headers['content-encoding'] !== 'aes128gcm') throw new Refusal(415, 'not aes128gcm')
  if (body.length > MAX_BYTES) throw new Refusal(413, 'too large')
  return { ttl: Number(ttl), urgency, topic }
}

export type PushServiceOptions = ListenOptions & { now?: () => number }

export type PushServiceSandbox = {
  /** Its origin. The endpoints of devices are below it. */
  url: string
  /**
   * Subscribes a device, like `PushManager.subscribe`. @param serverKey the only application server that may
   * send to it
   */
  addDevice(serverKey?: string): Device
  close(): Promise<void>
}

/**
 * A stand-in for a browser's push service: real HTTP, the checks of RFC 8030, 8291 and 8292, and the
 * devices behind it, which decrypt what they get. It delivers nothing: messages are looked at.
 *
 * For other processes: `POST /_control/devices` makes a device and gives its subscription,
 * `GET /_control/devices/{id}` what it got.
 */
export async function startPushService(
  options: PushServiceOptions = {},
): Promise<PushServiceSandbox> {
  const { now = Date.now } = options
  const devices = new Map<string, Device>()
  let url = ''

  function addDevice(serverKey: string | null = null): Device {
    const device = createDevice((id) => `${url}/push/${id}`, serverKey)
    devices.set(device.id, device)
    return device
  }

  async function push(request: IncomingMessage, response: ServerResponse, id: string) {
    const body = await buffer(request)
    const device = devices.get(id)
    if (!device) throw new Refusal(404, 'no such subscription')
    const failure = device.next()
    if (failure.mode === 'hang-up') {
      request.socket.destroy()
      return
    }
    if (failure.mode === 'slow') await pause(failure.delayMs, undefined, { ref: false })
    if (failure.mode === 'refuse') {
      const { retryAfter } = failure
      const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }
      throw new Refusal(failure.status, 'told to refuse', headers)
    }
    const { key, subject } = checkVapid(request.headers.authorization, url, now())
    if (device.serverKey !== null && device.serverKey !== key) {
      throw new Refusal(403, 'subscribed to another application server')
    }
    const sent = checkPushRequest(request.headers, body)
    device.messages.push({ ...sent, text: device.open(body), subject, key })
    const location = `${url}/message/${device.messages.length}`
    response.writeHead(201, { location, ttl: String(sent.ttl) }).end()
  }

  function control(request: IncomingMessage, response: ServerResponse, id: string) {
    if (request.method === 'POST' && id === '') {
      const made = addDevice()
      return sendJson(response, 201, { id: made.id, subscription: made.subscription })
    }
    const device = devices.get(id)
    if (!device) throw new Refusal(404, 'no such device')
    return sendJson(response, 200, { messages: device.messages })
  }

  async function route(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://sandbox')
    const [, kind, rest = ''] = /^\/(push|_control\/devices)(?:\/(.*))?$/.exec(pathname) ?? []
    if (kind === 'push' && request.method === 'POST') return push(request, response, rest)
    if (kind === '_control/devices') return control(request, response, rest)
    throw new Refusal(404, 'nothing here')
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      const { status, message, headers } =
        error instanceof Refusal ? error : new Refusal(500, String(error))
      sendJson(response, status, { error: message }, headers)
    })
  })
  const { origin, close } = await listen(server, options)
  url = origin

  return {
    url,
    addDevice,
    close,
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
