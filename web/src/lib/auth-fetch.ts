/** Base URL of the authentication service. */
export const authUrl = `${location.origin}/auth/v1`

const TIME_LIMIT_MS = 10_000

/** Ends only this session on the server: other devices of the pharmacy use the same account. */
export async function signOutOnServer(accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  // The session has ended in this browser, whatever the answer.
  await authFetch(`${authUrl}/logout?scope=local`, { method: 'POST', headers }).catch(
    () => undefined,
  )
}

/** `fetch` for the auth client: adds a timeout, and keeps a sign-out alive when the page is closed. */
export async function authFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input)
  const isSignOut = new URL(address).pathname.endsWith('/logout')
  const response = await fetch(input, {
    ...init,
    ...(isSignOut ? { keepalive: true } : {}),
    ...(typeof init?.body === 'string' ? { body: withoutCodeChallenge(init.body) } : {}),
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  return response.status === 429 ? withRetryAfter(response) : response
}

/**
 * Removes the PKCE challenge from requests for an email. The link may be opened in another browser, for example on a
 * phone, which does not have the verifier. Our links require a click instead.
 */
function withoutCodeChallenge(body: string): string {
  if (!body.includes('"code_challenge"')) return body
  const asked: unknown = JSON.parse(body)
  return JSON.stringify(asked, (name: string, value: unknown) =>
    name.startsWith('code_challenge') ? undefined : value,
  )
}

/**
 * The auth client exposes only the code and the message of an error, not its headers. So `Retry-After` is put into
 * the message, in the wording that the service uses for email rate limits.
 */
async function withRetryAfter(response: Response): Promise<Response> {
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
