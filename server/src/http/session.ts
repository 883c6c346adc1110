import type { Feature } from '@bancone/contract/access'
import { API_KEY_PREFIX } from '@bancone/contract/api-keys'
import { LRUCache } from 'lru-cache'
import { AppError } from '../app-error.ts'

/** The pharmacy behind a session, with what decides where its orders are. */
export type SessionPharmacy = {
  id: string
  isActive: boolean
  features: Feature[]
  /** Where the pharmacy's orders are kept; null when they live in our database alone. */
  orderSource: { baseId: string; tableId: string } | null
}

export type Account = { userId: string; isAdmin: boolean; pharmacy: SessionPharmacy | null }

type Subject = { userId: string; sessionId: string }

/** Who calls, and in which session. */
export type SignedIn = Account & { sessionId: string }

export type KeyHolder = { keyId: string; pharmacy: SessionPharmacy }

type Dependencies = {
  /** @throws if the token is not one of ours or has expired */
  subject(token: string): Promise<Subject>
  isAlive(subject: Subject): Promise<boolean>
  /** Undefined when there is no such user any more. */
  account(userId: string): Promise<Account | undefined>
  /** The pharmacy of an API key, and the key's id; undefined when it is none, or not one any more. */
  keyHolder(key: string): Promise<KeyHolder | undefined>
  /** True for the errors of `subject` that mean 'no session', rather than a failure of ours. */
  isRefusal(error: unknown): boolean
}

export type Sessions = {
  /** The account of a bearer token. @throws AppError `session.missing`, `session.unknown_user` */
  of(authorization: string | undefined): Promise<SignedIn>
  /**
   * The holder of an API key; undefined when what was sent is none.
   * @throws AppError `session.missing` when it is one that nobody has, or has no more
   */
  ofKey(authorization: string | undefined): Promise<KeyHolder | undefined>
  /** A session or a key has ended: from now on it is over, whatever is remembered of it. */
  forget(id: string): void
  /** What was remembered may not be so any more: of that user, or of everybody. */
  doubt(userId?: string): void
}

/**
 * Checking a token costs a signature and two queries, so what it came to is remembered for 3 seconds.
 * The ends of sessions and changes of accounts are told by the database; while its line is broken, that
 * is how long they take to be known.
 */
export const SESSION_MEMORY_MS = 3_000

/** Longer than loading and remembering an account can take. */
const ENDED_MEMORY_MS = 120_000

export function createSessions(dependencies: Dependencies): Sessions {
  async function load(token: string): Promise<SignedIn> {
    const subject = await dependencies.subject(token).catch((error: unknown) => {
      throw dependencies.isRefusal(error) ? new AppError('session.missing') : error
    })
    if (!(await dependencies.isAlive(subject))) throw new AppError('session.missing')
    const account = await dependencies.account(subject.userId)
    if (!account) throw new AppError('session.unknown_user')
    return { ...account, sessionId: subject.sessionId }
  }

  const remembered = new LRUCache<string, SignedIn>({
    max: 10_000,
    ttl: SESSION_MEMORY_MS,
    fetchMethod: load,
  })

  // Also what was being loaded while it ended.
  const ended = new LRUCache<string, true>({ max: 10_000, ttl: ENDED_MEMORY_MS })

  const holders = new LRUCache<string, KeyHolder>({
    max: 1_000,
    ttl: SESSION_MEMORY_MS,
    fetchMethod: (key) => dependencies.keyHolder(key),
  })

  return {
    async ofKey(authorization) {
      const key = bearer(authorization)
      if (!key.startsWith(API_KEY_PREFIX)) return undefined
      const holder = await holders.fetch(key)
      if (!holder || ended.has(holder.keyId)) throw new AppError('session.missing')
      return holder
    },
    async of(authorization) {
      const token = bearer(authorization)
      if (token === '') throw new AppError('session.missing')
      const found = await remembered.fetch(token)
      if (!found || ended.has(found.sessionId)) throw new AppError('session.missing')
      return found
    },
    forget(id) {
      ended.set(id, true)
    },
    doubt(userId) {
      // What is being loaded stays: to take it away would fail the call that waits for it.
      const doubted = [...remembered.entries()].filter(
        ([, known]) => userId === undefined || known.userId === userId,
      )
      for (const [token] of doubted) remembered.delete(token)
      for (const [key, { pharmacy }] of holders.entries()) {
        if (userId === undefined || pharmacy.id === userId) holders.delete(key)
      }
    },
  }
}

function bearer(authorization: string | undefined): string {
  return authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
}
