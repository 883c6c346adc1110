import { createHmac } from 'node:crypto'
import { wellFormedJson } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import { type Outbound, OutboundError } from '../../ports/outbound.ts'
import { kindOfCode, WhatsAppBusinessError } from '../../ports/whatsapp-business.ts'

const GraphErrorBody = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().catch(''),
    error_data: z
      .object({ details: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
})

/** Meta reports a callback that it could not verify as one of many invalid parameters. */
const CALLBACK = /callback|verify|verification/i

/**
 * The error in a response of the Graph API. Only the code and the details decide: titles, subcodes and HTTP statuses
 * change. Meta's texts are left out of the error, because they may quote the request.
 */
function graphError(status: number, body: unknown): WhatsAppBusinessError {
  const parsed = GraphErrorBody.safeParse(body)
  if (!parsed.success) {
    return new WhatsAppBusinessError('unreachable', `Meta answered ${status}`, status >= 500)
  }
  const { code, message, error_data: data } = parsed.data.error
  const isCallback = code === 100 && CALLBACK.test(`${data?.details ?? ''} ${message}`)
  const kind = isCallback ? 'callback' : kindOfCode(code)
  return new WhatsAppBusinessError(kind, `Meta answered ${status} with code ${code}`)
}

export type GraphOptions = {
  /** The base URL of the Graph API, for example `https://graph.facebook.com`. */
  graphUrl: string
  appId: string
  appSecret: string
  fetch: Outbound['fetch']
  /** Time limit of each request in milliseconds. */
  timeLimitMs?: number
}

/** The version of the Graph API, for the browser too. */
export const GRAPH_VERSION = 'v25.0'

/** The largest response in bytes. */
const SIZE_LIMIT = 256 * 1024

type GraphCall<S extends z.ZodType> = {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: object
  /** The token that authorizes the request. Undefined: the request has its credentials in the query. */
  token?: string
  response: S
  signal?: AbortSignal
}

/** Requests to the Graph API. Tokens are sent in a header, with a proof that the application's server sends them. */
export function createGraphClient(options: GraphOptions) {
  const { graphUrl, appSecret, fetch, timeLimitMs = 8_000 } = options

  return async function send<S extends z.ZodType>(call: GraphCall<S>): Promise<z.output<S>> {
    const { method = 'GET', path, query = {}, body, token, response, signal } = call
    const url = new URL(`/${GRAPH_VERSION}/${path}`, graphUrl)
    const proof = token && {
      appsecret_proof: createHmac('sha256', appSecret).update(token).digest('hex'),
    }
    url.search = new URLSearchParams({ ...query, ...proof }).toString()
    const reply = await fetch(url.href, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      timeLimitMs,
      sizeLimit: SIZE_LIMIT,
      signal,
    }).catch((error: unknown) => {
      // The cause is left out: it might quote the URL, which has secrets in it.
      const why = error instanceof OutboundError ? error.kind : 'no answer'
      const isUnsure = !(error instanceof OutboundError && error.isUnsent)
      throw new WhatsAppBusinessError('unreachable', `Meta was not reached (${why})`, isUnsure)
    })
    const json = parseJson(reply.body)
    if (reply.status < 200 || reply.status > 299) throw graphError(reply.status, json)
    const result = response.safeParse(json)
    if (!result.success) {
      throw new WhatsAppBusinessError('unreachable', 'the answer of Meta is not readable', true)
    }
    return result.data
  }
}

function parseJson(body: Uint8Array): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(new TextDecoder().decode(body)))
    return json
  } catch {
    return undefined
  }
}
