import { type OpenIdSandbox, startOpenId, visitOpenId } from '@bancone/sandbox/openid'
import type { Settings } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { type AuthServer, authServer, noLimits } from './auth-server.ts'
import { testAuth } from './server.ts'

/** The public URL of the test server. */
const OWN = 'http://localhost:3000'

export const PROVIDER = 'demoid'

/** The application, and the sandbox of its external provider. */
export async function serverWithProvider(
  settings: Partial<Settings> = {},
): Promise<{ server: AuthServer; idp: OpenIdSandbox }> {
  const plenty = { points: 100_000, seconds: 60 }
  const client = { clientId: 'bancone', clientSecret: 'a secret of the tests' }
  const redirectUris = [`${OWN}/auth/v1/callback`]
  const idp = await startOpenId({ ...client, redirectUris, accounts: [] })
  atEnd(() => idp.close())
  const oidc = { ...client, provider: PROVIDER, name: 'DemoID', issuer: idp.issuer }
  const server = await authServer({
    limits: { ...noLimits, 'external-leave': plenty, 'external-return': plenty },
    ...settings,
    auth: { ...testAuth, oidc, ...settings.auth },
  })
  return { server, idp }
}

export type RedirectResult = { url: URL; fragment: URLSearchParams; error: string | null }

/** A simulated browser: it keeps the cookies of the callback, and follows redirects. */
export function createBrowser({ app }: Pick<AuthServer, 'app'>) {
  const cookies = new Map<string, string>()

  function keep(set: string | string[] | undefined): void {
    for (const cookie of [set ?? []].flat()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? []
      if (/Max-Age=0/.test(rest)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  /** Requests a page of the application. */
  async function open(address: string | URL, headers: Record<string, string> = {}) {
    const { pathname, search } = new URL(address)
    const sent = pathname === '/auth/v1/callback' ? cookies : new Map<string, string>()
    const cookie = [...sent].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await app.inject({
      method: 'GET',
      url: pathname + search,
      headers: { host: 'localhost:3000', ...(cookie !== '' && { cookie }), ...headers },
    })
    keep(reply.headers['set-cookie'])
    return reply
  }

  /** Opens an authorization URL. @returns the provider's URL that it redirects to */
  async function openProvider(address: string | URL): Promise<URL> {
    return new URL((await open(address)).headers.location ?? 'about:blank')
  }

  /** Opens the callback. @returns the final redirect */
  async function handleCallback(address: string | URL): Promise<RedirectResult> {
    const reply = await open(address)
    if (reply.statusCode !== 302) throw new Error(`answered ${reply.statusCode}: ${reply.body}`)
    return parseRedirect(reply.headers.location)
  }

  return {
    cookies,
    open,
    openProvider,
    handleCallback,

    /** Signs in at the provider as that account; null refuses there. */
    async signIn(address: string | URL, email: string | null): Promise<RedirectResult> {
      return handleCallback(await visitOpenId(await openProvider(address), email))
    },

    /** Requests as a signed-in page does, and keeps the cookies of the response. */
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const reply = await fetch(input, init)
      keep(reply.headers.getSetCookie())
      return reply
    },

    /** Links an identity, from the provider's URL on. */
    async link(address: string | URL, email: string | null): Promise<RedirectResult> {
      return handleCallback(await visitOpenId(address, email))
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>

export function parseRedirect(location: string | undefined): RedirectResult {
  const url = new URL(location ?? 'about:blank')
  const fragment = new URLSearchParams(url.hash.slice(1))
  return { url, fragment, error: fragment.get('error_code') }
}
