import { setTimeout as pause } from 'node:timers/promises'
import type * as OpenId from 'openid-client'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { IdentityProviderError } from '../../ports/identity-provider.ts'
import { readBody } from '../read-body.ts'

export type OpenIdOptions = {
  /** The `issuer` of the discovery document. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The registered redirect URI. */
  redirectUri: string
  fetch?: typeof globalThis.fetch
  clock?: Clock
  /** Time limit in milliseconds for all requests to the provider in one call. */
  timeLimitMs?: number
}

/** The library, which is imported with the first sign-in by OpenID Connect. */
type Library = typeof OpenId

export type DiscoveredProvider = { openid: Library; config: OpenId.Configuration }

/** Less than the ten seconds that clients wait for a response. */
const TIME_LIMIT_MS = 10_000

/** The largest response in bytes; discovery documents and key sets have a few thousand. */
const SIZE_LIMIT = 512 * 1024

/** Milliseconds for which the discovery document is cached. */
const KNOWN_MS = 24 * 3600_000

/** OpenID Connect Discovery. The discovery document is cached; failures are not. */
export function createDiscovery(options: OpenIdOptions) {
  const { clock = systemClock, timeLimitMs = TIME_LIMIT_MS } = options
  // Half of the total, so that one unanswered request does not use up the time of the others.
  const requestLimitMs = timeLimitMs / 2
  const fetch = bounded(options.fetch ?? globalThis.fetch)
  const issuer = new URL(options.issuer)
  let known: { at: number; found: Promise<DiscoveredProvider> } | undefined

  async function discover(): Promise<DiscoveredProvider> {
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
          // The configuration allows http only for a provider on the same machine.
          ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    return { openid, config }
  }

  return {
    fetch,
    requestLimitMs,

    /** Applies the time limit to `work`. @throws IdentityProviderError */
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
    async discovered(): Promise<DiscoveredProvider> {
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

/** HTTP Basic authentication, which every provider must support, unless the provider only supports the body. */
function authentication(openid: Library, secret: string): OpenId.ClientAuth {
  const basic = openid.ClientSecretBasic(secret)
  const post = openid.ClientSecretPost(secret)
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isPost = !ways.includes('client_secret_basic') && ways.includes('client_secret_post')
    return (isPost ? post : basic)(server, ...rest)
  }
}

/** The options of a request, common to both libraries. */
type Sent = {
  method: string
  headers: Record<string, string> | Headers
  body?: OpenId.FetchBody
  redirect: 'manual'
  signal?: AbortSignal
}

/** Limits the size of a response. */
function bounded(fetch: typeof globalThis.fetch) {
  return async (url: string, { body: sent, ...init }: Sent): Promise<Response> => {
    const reply = await fetch(url, { ...init, ...(sent !== undefined && { body: sent }) })
    const body = await readBody(reply, SIZE_LIMIT, () => new TypeError('the answer is too large'))
    const { status, headers } = reply
    return new Response(body.byteLength === 0 ? null : body, { status, headers })
  }
}

/** The error's code or name; its message may quote the request. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('error' in error && typeof error.error === 'string') return error.error.slice(0, 60)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
