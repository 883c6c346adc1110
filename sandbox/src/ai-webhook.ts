import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createFailureQueue } from './failure-queue.ts'
import { type ListenOptions, listen } from './listening.ts'
import { findProduct, type Product } from './products.ts'

type Reply = { contentType: string; body: string }

/** The workflow's response to a name: all three texts for known products, a description for others. */
function draft({ productName, category }: { productName: string; category: string }): Reply {
  const product = findProduct(productName)
  const said = product ? worded(product) : { output: describe(productName, category) }
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(said) }
}

function worded({ description, price, minsan, wording }: Product): unknown {
  const fields = { Descrizione: description, Prezzo: price, Minsan: minsan }
  const json = JSON.stringify(fields)
  if (wording === 'fields') return fields
  if (wording === 'output') return { output: json }
  if (wording === 'list') return [{ output: json }]
  return { output: `Ecco i dati del prodotto:\n\`\`\`json\n${json}\n\`\`\`` }
}

function describe(productName: string, category: string): string {
  const kind = category === 'Generale' ? 'un prodotto' : `un prodotto della categoria ${category}`
  return (
    `${productName}: ${kind} scelto dalla tua farmacia di fiducia. ` +
    'Vieni a trovarci o scrivici: ti aiutiamo a capire se è adatto a te e come usarlo al meglio.'
  )
}

/**
 * The behaviour of the next `times` requests, or of all: `silent` does not respond, `half` breaks off in the
 * middle of the response, `oversized` is 10 MB of JSON.
 */
export const AiFailure = z.object({
  mode: z.enum([
    'ok',
    'status',
    'silent',
    'slow',
    'garbage',
    'oversized',
    'redirect',
    'hang-up',
    'half',
  ]),
  status: z.number().int().min(400).max(599).default(500),
  delayMs: z.number().int().min(0).default(3_000),
  location: z.string().default('http://169.254.169.254/latest/meta-data/'),
  times: z.number().int().min(1).optional(),
})
export type AiFailure = z.input<typeof AiFailure>

/** Product names that cause failures in the demo. */
const namedFailures: readonly [RegExp, (...found: string[]) => AiFailure][] = [
  [/^prova errore ([45]\d\d)$/i, (status = '') => ({ mode: 'status', status: Number(status) })],
  [/^prova attesa$/i, () => ({ mode: 'slow' })],
  [/^prova silenzio$/i, () => ({ mode: 'silent' })],
  [/^prova illeggibile$/i, () => ({ mode: 'garbage' })],
  [/^prova interruzione$/i, () => ({ mode: 'hang-up' })],
]

/** The failure that a product's name causes. */
function failureNamed(productName: string): AiFailure | undefined {
  for (const [pattern, failure] of namedFailures) {
    const [whole, ...found] = pattern.exec(productName.trim()) ?? []
    if (whole !== undefined) return failure(...found)
  }
  return undefined
}

const PATH = '/webhook/prodotti'

/** The maximum number of recorded requests. */
const MAX_REMEMBERED = 100

export type AiRequest = { headers: IncomingMessage['headers']; body: unknown }

export type AiWebhookSandbox = {
  /** The webhook's URL. */
  url: string
  /** The received requests, the oldest first, including failed ones. */
  requests: readonly AiRequest[]
  /** Sets a fixed response from now on, instead of a draft from the name. */
  answer(reply: Reply): void
  fail(failure: AiFailure): void
  /** The number of requests that the client aborted. */
  givenUp(): number
  close(): Promise<void>
}

const Asked = z.strictObject({
  productName: z.string().min(1),
  pharmacyId: z.string().min(1),
  category: z.string().min(1),
})

/**
 * A stand-in for a pharmacy's workflow that drafts product texts, such as one of n8n. In the demo, a name such as
 * `Prova errore 500` causes a failure once.
 */
export async function startAiWebhook(place: ListenOptions = {}): Promise<AiWebhookSandbox> {
  const requests: AiRequest[] = []
  const failures = createFailureQueue(AiFailure, { mode: 'ok' })
  let fixed: Reply | undefined
  let givenUp = 0

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = parseJson(await text(request))
    requests.push({ headers: request.headers, body })
    if (requests.length > MAX_REMEMBERED) requests.shift()
    response.on('close', () => {
      if (!response.writableEnded) givenUp += 1
    })
    const asked = Asked.safeParse(body)
    if (!asked.success) return send(response, 400, 'text/plain', 'not what was agreed')
    const named = failureNamed(asked.data.productName)
    const fate = named ? AiFailure.parse(named) : failures.next()
    if (fate.mode === 'silent') return undefined
    if (fate.mode === 'slow') await pause(fate.delayMs, undefined, { ref: false })
    const reply = fixed ?? draft(asked.data)
    if (fate.mode === 'ok' || fate.mode === 'slow') {
      return send(response, 200, reply.contentType, reply.body)
    }
    return misbehave(request, response, fate)
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== PATH) {
      return send(response, 404, 'text/plain', 'nothing here')
    }
    answer(request, response).catch((error: unknown) =>
      send(response, 400, 'text/plain', String(error)),
    )
  })
  const { origin, close } = await listen(server, place)

  return {
    url: origin + PATH,
    requests,
    answer(reply) {
      fixed = reply
    },
    fail: failures.set,
    givenUp: () => givenUp,
    close,
  }
}

function misbehave(
  request: IncomingMessage,
  response: ServerResponse,
  { mode, status, location }: z.output<typeof AiFailure>,
): void {
  if (mode === 'hang-up') {
    request.socket.destroy()
  } else if (mode === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"Descrizione":"', () => response.destroy())
  } else if (mode === 'redirect') {
    response.writeHead(302, { location }).end()
  } else if (mode === 'garbage') {
    send(response, 200, 'application/json', '{"Descrizione": "una crema per le')
  } else if (mode === 'oversized') {
    send(response, 200, 'application/json', JSON.stringify({ output: 'a'.repeat(10_000_000) }))
  } else {
    send(response, status, 'application/json', '{"message":"Error in workflow"}')
  }
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType }).end(body)
}

function parseJson(body: string): unknown {
  try {
    const json: unknown = JSON.parse(body)
    return json
  } catch {
    return undefined
  }
}
