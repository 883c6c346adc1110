import PQueue from 'p-queue'
import { checkAirtableToken } from './airtable-check.ts'
import type { AirtableOptions } from './airtable-client.ts'

/** Readings wait for the first answer, but not long. */
const TIME_LIMIT_MS = 3_000

/** After a failure a token counts for itself for this time. */
const RETRY_MS = 10 * 60_000

/** So that many tokens that are asked for at once do not exceed the limit of their user. */
const MAX_AT_ONCE = 4

/**
 * Finds the users of tokens, each once: Airtable's 50 requests a second are of a user, whose tokens share them.
 *
 * @returns undefined while Airtable does not say it
 */
export function createAirtableUsers(options: Pick<AirtableOptions, 'apiUrl' | 'fetch'>) {
  const users = new Map<string, { user: Promise<string | undefined>; until: number }>()
  const queue = new PQueue({ concurrency: MAX_AT_ONCE })

  return (token: string): Promise<string | undefined> => {
    const known = users.get(token)
    if (known && Date.now() < known.until) return known.user
    const entry = { user: Promise.resolve<string | undefined>(undefined), until: Infinity }
    entry.user = queue
      .add(() => checkAirtableToken({ ...options, token }, AbortSignal.timeout(TIME_LIMIT_MS)))
      .catch(() => null)
      .then((user) => {
        if (!user) entry.until = Date.now() + RETRY_MS
        return user ?? undefined
      })
    users.set(token, entry)
    return entry.user
  }
}
