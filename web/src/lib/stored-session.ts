import { z } from 'zod'
import { tokenClaims } from './access-token.ts'
import { browserStorage } from './browser-storage.ts'

const Stored = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at: z.number(),
  user: z.object({ id: z.string(), email: z.string().catch('') }),
})

/** A session as the auth client has put it into the browser's storage. */
export type StoredSession = {
  /** Null where the token does not say. */
  id: string | null
  userId: string
  email: string
  /** It began with a link from a mail, and not with the password. */
  fromMail: boolean
  accessToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export function readStoredSession(storageKey: string): StoredSession | null {
  const stored = parse(browserStorage.getItem(storageKey))
  if (!stored) return null
  const { session_id: id, amr } = tokenClaims(stored.access_token)
  return {
    id,
    userId: stored.user.id,
    email: stored.user.email,
    fromMail: amr.length > 0 && !amr.includes('password'),
    accessToken: stored.access_token,
    expiresAt: stored.expires_at * 1000,
  }
}

function parse(text: string | null): z.infer<typeof Stored> | null {
  if (text === null) return null
  try {
    return Stored.nullable().catch(null).parse(JSON.parse(text))
  } catch {
    return null
  }
}
