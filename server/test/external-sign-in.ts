import { type OpenIdSandbox, startOpenId, visitOpenId } from '@bancone/sandbox/openid'
import type { Settings } from '../src/wiring.ts'
import { atEnd } from './at-end.ts'
import { type AuthServer, authServer, noLimits } from './auth-server.ts'
import { testAuth } from './server.ts'

/** What the tests' server calls itself. */
const OWN = 'http://localhost:3000'

export const PROVIDER = 'demoid'

/** The application and the other service that it signs people in with. */
export async function withExternal(
  settings: Partial<Settings> = {},
): Promise<{ server: AuthServer; there: OpenIdSandbox }> {
  const plenty = { points: 100_000, seconds: 60 }
  const client = { clientId: 'bancone', clientSecret: 'a secret of the tests' }
  const redirectUris = [`${OWN}/auth/v1/callback`]
  const there = await startOpenId({ ...client, redirectUris, accounts: [] })
  atEnd(() => there.close())
  const oidc = { ...client, provider: PROVIDER, name: 'DemoID', issuer: there.issuer }
  const server = await authServer({
    limits: { ...noLimits, 'external-leave': plenty, 'external-return': plenty },
    ...settings,
    auth: { ...testAuth, oidc, ...settings.auth },
  })
  return { server, there }
}

export type LedTo = { url: URL; fragment: URLSearchParams; error: string | null }

/** A browser of the tests: it keeps the cookies of our callback, and goes where it is led. */
export function createBrowser({ app }: Pick<AuthServer, 'app'>) {
  const cookies = new Map<string, string>()

  function keep(set: string | string[] | undefined): void {
    for (const cookie of [set ?? []].flat()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? []
      if (/Max-Age=0/.test(rest)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  /** What our server answers, at the address that people use. */
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

  /** From our address to where it leads: the other service's. */
  async function leave(address: string | URL): Promise<URL> {
    return new URL((await open(address)).headers.location ?? 'about:blank')
  }

  /** Back at our address, and where that leads in the end. */
  async function comeBack(address: string | URL): Promise<LedTo> {
    const reply = await open(address)
    if (reply.statusCode !== 302) throw new Error(`answered ${reply.statusCode}: ${reply.body}`)
    return ledTo(reply.headers.location)
  }

  return {
    cookies,
    open,
    leave,
    comeBack,

    /** Leaves and comes back as somebody of the other service; null: says no there. */
    async signIn(address: string | URL, email: string | null): Promise<LedTo> {
      return comeBack(await visitOpenId(await leave(address), email))
    },

    /** As the page of somebody who is signed in asks: the cookie comes with the answer. */
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const reply = await fetch(input, init)
      keep(reply.headers.getSetCookie())
      return reply
    },

    /** On from where a client that is signed in was told to go. */
    async link(address: string | URL, email: string | null): Promise<LedTo> {
      return comeBack(await visitOpenId(address, email))
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>

export function ledTo(location: string | undefined): LedTo {
  const url = new URL(location ?? 'about:blank')
  const fragment = new URLSearchParams(url.hash.slice(1))
  return { url, fragment, error: fragment.get('error_code') }
}
