import { createHmac } from 'node:crypto'
import { wellFormedJson } from '@bancone/contract/well-formed-text'
import type { z } from 'zod'
import { type Outbound, OutboundError } from '../../ports/outbound.ts'
import { WhatsAppBusinessError } from '../../ports/whatsapp-business.ts'
import { graphError } from './graph-error.ts'

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

export type GraphCall<S extends z.ZodType> = {
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
      throw new WhatsAppBusinessError('unreachable', `Meta was not reached (${why})`, { isUnsure })
    })
    const json = parsed(reply.body)
    if (reply.status < 200 || reply.status > 299) throw graphError(reply.status, json)
    const result = response.safeParse(json)
    if (!result.success) {
      throw new WhatsAppBusinessError('unreachable', 'the answer of Meta is not readable', {
        isUnsure: true,
      })
    }
    return result.data
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(new TextDecoder().decode(body)))
    return json
  } catch {
    return undefined
  }
}
