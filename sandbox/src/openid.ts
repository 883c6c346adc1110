import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type ListenOptions, listen } from './listening.ts'
import { type Claims, createAccounts, type OpenIdAccount } from './openid/accounts.ts'
import { createOpenIdFailures, type OpenIdFailure, respondWithFailure } from './openid/failures.ts'
import { createKey } from './openid/key.ts'
import { choicePage } from './openid/page.ts'
import type { createProvider } from './openid/provider.ts'
import { visit } from './openid/visitor.ts'

export type OpenIdOptions = ListenOptions & {
  clientId: string
  clientSecret: string
  redirectUris: string[]
  accounts: readonly OpenIdAccount[]
  /** The display name. */
  name?: string
  /** Where the user's claims are: providers differ. */
  claimsIn?: 'id_token' | 'userinfo'
}

export type OpenIdSandbox = {
  issuer: string
  /** Methods and paths of the latest 100 requests. */
  requests: readonly string[]
  /** Adds an account, or replaces the one with the same `sub`. */
  put(account: OpenIdAccount): Claims
  /** An ID token as a mobile client obtains it, with some claims replaced. `type`: the token type in its header. */
  idToken(email: string, claims?: Record<string, unknown>, type?: string): string
  fail(failure: OpenIdFailure): void
  close(): Promise<void>
}

export type { OpenIdFailure }
export { visit as visitOpenId }

const MAX_REMEMBERED = 100

/** The lifetime of an ID token issued directly, in seconds. */
const ID_TOKEN_SECONDS = 600

/**
 * A stand-in for an OpenID Connect provider. The provider's package is large: it is loaded with the first request.
 */
export async function startOpenId(options: OpenIdOptions): Promise<OpenIdSandbox> {
  const { clientId, clientSecret, redirectUris, name = 'DemoID' } = options
  const accounts = createAccounts(options.accounts)
  const key = createKey()
  const failures = createOpenIdFailures()
  const requests: string[] = []
  let loading: Promise<ReturnType<typeof createProvider>> | undefined

  async function load() {
    const provider = await import('./openid/provider.ts')
    const clients = [{ clientId, clientSecret, redirectUris }]
    const { claimsIn = 'id_token' } = options
    return provider.createProvider({ issuer: origin, name, clients, accounts, key, claimsIn })
  }

  async function choose(request: IncomingMessage, response: ServerResponse, path: string) {
    loading ??= load()
    const provider = await loading
    if (request.method === 'POST') {
      const form = new URLSearchParams(await text(request))
      const sub = form.has('cancel') ? null : form.get('account')
      const location = await provider.decided(request, response, sub)
      return response.writeHead(303, { location }).end()
    }
    const { hint } = await provider.asked(request, response)
    const html = choicePage({
      name,
      action: path,
      client: 'Bancone',
      accounts: accounts.all(),
      hint,
    })
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const [path = '/'] = (request.url ?? '/').split('?')
    requests.push(`${request.method} ${path}`)
    if (requests.length > MAX_REMEMBERED) requests.shift()
    const failure = failures.of(path)
    if (failure.mode !== 'ok') return respondWithFailure(request, response, failure)
    if (path.startsWith('/interaction/')) return choose(request, response, path)
    loading ??= load()
    return (await loading).answer(request, response)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  const { origin, close } = await listen(server, options)

  return {
    issuer: origin,
    requests,
    put: accounts.put,
    idToken(email, claims = {}, type) {
      const account = accounts.withEmail(email)
      if (!account) throw new Error(`${email} has no account there`)
      const iat = Math.floor(Date.now() / 1000)
      const usual = { iss: origin, aud: clientId, iat, exp: iat + ID_TOKEN_SECONDS }
      return key.signed({ ...account, ...usual, ...claims }, type)
    },
    fail: failures.set,
    close,
  }
}
