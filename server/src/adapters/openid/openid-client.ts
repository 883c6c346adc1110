import { setTimeout as pause } from 'node:timers/promises'
import type * as OpenId from 'openid-client'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { IdentityProviderError } from '../../ports/identity-provider.ts'

export type OpenIdOptions = {
  /** As its discovery document names it. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Where it sends browsers back to. */
  redirectUri: string
  fetch?: typeof globalThis.fetch
  clock?: Clock
  /** Milliseconds for all that is asked of it in one call. */
  timeLimitMs?: number
}

/** The library, which is loaded when somebody signs in this way for the first time. */
type Library = typeof OpenId

export type Discovered = { openid: Library; config: OpenId.Configuration }

/** Clients of ours wait ten seconds, and so does a browser that comes back. */
const TIME_LIMIT_MS = 10_000

/** Bytes of an answer: a discovery document and a set of keys have a few thousand. */
const SIZE_LIMIT = 512 * 1024

/** Milliseconds after which the provider is asked again where its parts are. */
const KNOWN_MS = 24 * 3600_000

/** Finds out where the provider's parts are. What was found out is remembered; a failure is not. */
export function createDiscovery(options: OpenIdOptions) {
  const { clock = systemClock, timeLimitMs = TIME_LIMIT_MS } = options
  // Half of it, so that one request that is not answered is told apart from several that are slow.
  const requestLimitMs = timeLimitMs / 2
  const fetch = bounded(options.fetch ?? globalThis.fetch)
  const issuer = new URL(options.issuer)
  let known: { at: number; found: Promise<Discovered> } | undefined

  async function discover(): Promise<Discovered> {
    const openid = await import('openid-client')
    const { clientId, clientSecret } = options
    const config = await openid.discovery(
      issuer,
      clientId,
      undefined,
      authentication(openid, clientSecret),
      {
        timeout: requestLimitMs / 1000,
        [openid.customFetch]: fetch,
        execute: [
          openid.enableNonRepudiationChecks,
          // The configuration allows this for a provider on the same machine alone.
          ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    return { openid, config }
  }

  return {
    fetch,
    requestLimitMs,

    /** No longer than whoever waits for it will. @throws IdentityProviderError */
    async inTime<T>(work: Promise<T>): Promise<T> {
      const done = new AbortController()
      const late = pause(timeLimitMs, undefined, { signal: done.signal }).then(() => {
        throw new IdentityProviderError('unavailable', 'it takes too long')
      })
      try {
        return await Promise.race([work, late])
      } finally {
        done.abort()
      }
    },

    /** @throws IdentityProviderError */
    async discovered(): Promise<Discovered> {
      if (!known || clock.now() - known.at > KNOWN_MS) {
        known = { at: clock.now(), found: discover() }
      }
      const asked = known
      try {
        return await asked.found
      } catch (error) {
        if (known === asked) known = undefined
        throw new IdentityProviderError('unavailable', `no discovery: ${reasonOf(error)}`)
      }
    },
  }
}

/** In the header, as every provider must take it, unless it says that it takes the body alone. */
function authentication(openid: Library, secret: string): OpenId.ClientAuth {
  const basic = openid.ClientSecretBasic(secret)
  const post = openid.ClientSecretPost(secret)
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isPost = !ways.includes('client_secret_basic') && ways.includes('client_secret_post')
    return (isPost ? post : basic)(server, ...rest)
  }
}

/** What both libraries say of a request. */
type Sent = {
  method: string
  headers: Record<string, string> | Headers
  body?: OpenId.FetchBody
  redirect: 'manual'
  signal?: AbortSignal
}

/** Reads no more of an answer than it can need. */
function bounded(fetch: typeof globalThis.fetch) {
  return async (url: string, { body: sent, ...init }: Sent): Promise<Response> => {
    const reply = await fetch(url, { ...init, ...(sent !== undefined && { body: sent }) })
    const body: ReadableStream<Uint8Array> | null = reply.body
    if (body === null) return reply
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of body) {
      bytes += piece.byteLength
      if (bytes > SIZE_LIMIT) throw new TypeError('the answer is too large')
      pieces.push(piece)
    }
    const { status, headers } = reply
    return new Response(bytes === 0 ? null : Buffer.concat(pieces), { status, headers })
  }
}

/** The library's code, or the kind of error: its messages may quote what was sent. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('error' in error && typeof error.error === 'string') return error.error.slice(0, 60)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
