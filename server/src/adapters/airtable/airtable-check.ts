import { z } from 'zod'
import { SourceError } from '../../ports/order-source.ts'
import type { AirtableOptions } from './airtable-client.ts'
import { parseJson, readLimited } from './airtable-reply.ts'

const WhoAmI = z.object({ id: z.string().regex(/^\w{1,100}$/) })

/**
 * Asks Airtable whose the token is, which any valid token may.
 *
 * @returns the id of the user; null where the reply does not say it
 * @throws SourceError `denied` when Airtable refuses the token; `rate_limited`; `unreachable`
 */
export async function checkAirtableToken(
  {
    apiUrl,
    token,
    fetch = globalThis.fetch,
  }: Pick<AirtableOptions, 'apiUrl' | 'fetch'> & { token: string },
  signal: AbortSignal,
): Promise<string | null> {
  // The error of `fetch` would quote a token that cannot be sent.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new SourceError('denied', 'the token is not a token')
  const reply = await fetch(new URL('/v0/meta/whoami', apiUrl), {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    signal,
  }).catch(() => {
    throw new SourceError('unreachable', 'Airtable did not answer')
  })
  if (reply.ok) {
    const text = await readLimited(reply, 10_000).catch(() => '')
    try {
      return WhoAmI.safeParse(parseJson(text)).data?.id ?? null
    } catch {
      return null
    }
  }
  await reply.body?.cancel()
  const { status } = reply
  if (status === 429) throw new SourceError('rate_limited', 'Airtable answered 429')
  if (status === 401 || status === 403) throw new SourceError('denied', 'the token is refused')
  throw new SourceError('unreachable', `Airtable answered ${status}`)
}
