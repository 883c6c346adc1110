import { AuthAdminApi, AuthClient, type GoTrueClient } from '@supabase/auth-js'
import { browserStorage } from './browser-storage.ts'

/** Where the authentication service is. */
export const authUrl = `${location.origin}/auth/v1`

const TIME_LIMIT_MS = 10_000

/** A client of the authentication service that keeps its session in the browser under that key. */
export function createAuthClient(storageKey: string): GoTrueClient {
  return new AuthClient({
    url: authUrl,
    storageKey,
    storage: browserStorage,
    detectSessionInUrl: false,
    flowType: 'pkce',
    fetch: authFetch,
  })
}

/** Ends that one session on the server: other counters of the pharmacy share the account. */
export async function endOnServer(accessToken: string): Promise<void> {
  await new AuthAdminApi({ url: authUrl, fetch: authFetch }).signOut(accessToken, 'local')
}

/** Every call of the auth client has a time limit. Who leaves may close the page at once. */
export async function authFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input)
  const leaving = new URL(address).pathname.endsWith('/logout')
  const response = await fetch(input, {
    ...init,
    ...(leaving ? { keepalive: true } : {}),
    ...(typeof init?.body === 'string' ? { body: withoutProof(init.body) } : {}),
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  return response.status === 429 ? withWaitingTime(response) : response
}

/**
 * Who asks for a mail may open its link in another browser, the telephone's say, which could not prove that
 * it was asked for in this one. So it is asked for without: our links need a click, and no proof.
 */
function withoutProof(body: string): string {
  if (!body.includes('"code_challenge"')) return body
  const asked: unknown = JSON.parse(body)
  return JSON.stringify(asked, (name: string, value: unknown) =>
    name.startsWith('code_challenge') ? undefined : value,
  )
}

/**
 * The client keeps of an error its code and its message, and drops the headers: so what `Retry-After`
 * says is put into the message, in the words in which the service says it of mails.
 */
async function withWaitingTime(response: Response): Promise<Response> {
  const seconds = Number(response.headers.get('retry-after'))
  if (!(seconds > 0)) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (typeof body !== 'object' || body === null) return response
  const msg = `For security purposes, you can only request this after ${seconds} seconds.`
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  return Response.json({ ...body, msg }, { status: response.status, headers })
}
