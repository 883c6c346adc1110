import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type ListenOptions, listen } from './listening.ts'
import { createDevice, type Device, DeviceFailure } from './push-service/device.ts'
import { checkPushRequest } from './push-service/push-request.ts'
import { Refusal } from './push-service/refusal.ts'
import { checkVapid } from './push-service/vapid.ts'

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

const NewDevice = z.object({ serverKey: z.string().nullable().default(null) })

/**
 * A stand-in for a browser's push service: real HTTP, the checks of RFC 8030, 8291 and 8292, and the
 * devices behind it, which decrypt what they get. It delivers nothing: messages are looked at.
 *
 * For other processes: `POST /_control/devices` makes a device and gives its subscription,
 * `GET /_control/devices/{id}` what it got, `POST /_control/devices/{id}/failure` makes it fail.
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

  async function control(request: IncomingMessage, response: ServerResponse, path: string) {
    const body: unknown = JSON.parse((await buffer(request)).toString() || '{}')
    const [id = '', what] = path.split('/')
    if (request.method === 'POST' && id === '') {
      const { serverKey } = parsed(NewDevice, body)
      const device = addDevice(serverKey)
      return sendJson(response, 201, { id: device.id, subscription: device.subscription })
    }
    const device = devices.get(id)
    if (!device) throw new Refusal(404, 'no such device')
    if (request.method === 'POST' && what === 'failure') device.fail(parsed(DeviceFailure, body))
    const { messages } = device
    return sendJson(response, 200, {
      messages,
      waiting: device.waiting(),
      requests: device.requests(),
    })
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

function parsed<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body)
  if (!result.success) throw new Refusal(400, 'not understood')
  return result.data
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
