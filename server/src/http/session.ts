import type { Feature } from '@bancone/contract/access'
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

type Dependencies = {
  /** @throws if the token is not one of ours or has expired */
  subject(token: string): Promise<Subject>
  isAlive(subject: Subject): Promise<boolean>
  /** Undefined when there is no such user any more. */
  account(userId: string): Promise<Account | undefined>
  /** True for the errors of `subject` that mean 'no session', rather than a failure of ours. */
  isRefusal(error: unknown): boolean
}

export type Sessions = {
  /** The account of a bearer token. @throws AppError `session.missing`, `session.unknown_user` */
  of(authorization: string | undefined): Promise<SignedIn>
  /** A session has ended: from now on it is over, whatever is remembered of it. */
  forget(sessionId: string): void
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

  // Also what was being loaded while the session ended.
  const ended = new LRUCache<string, true>({ max: 10_000, ttl: ENDED_MEMORY_MS })

  return {
    async of(authorization) {
      const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
      if (token === '') throw new AppError('session.missing')
      const found = await remembered.fetch(token)
      if (!found || ended.has(found.sessionId)) throw new AppError('session.missing')
      return found
    },
    forget(sessionId) {
      ended.set(sessionId, true)
    },
    doubt(userId) {
      // What is being loaded stays: to take it away would fail the call that waits for it.
      const doubted = [...remembered.entries()].filter(
        ([, known]) => userId === undefined || known.userId === userId,
      )
      for (const [token] of doubted) remembered.delete(token)
    },
  }
}
