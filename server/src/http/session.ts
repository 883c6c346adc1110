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
  of(authorization: string | undefined): Promise<Account>
  /** A session has ended in this process: from now on it is over, whatever is remembered of it. */
  forget(sessionId: string): void
}

/**
 * Checking a token costs a signature and two queries, so what it came to is remembered for 3 seconds:
 * that is how long a session ended in another process, or a pharmacy made inactive, goes on here.
 */
export const SESSION_MEMORY_MS = 3_000

/** Longer than loading and remembering an account can take. */
const ENDED_MEMORY_MS = 120_000

export function createSessions(dependencies: Dependencies): Sessions {
  type Remembered = { sessionId: string; account: Account }

  async function load(token: string): Promise<Remembered> {
    const subject = await dependencies.subject(token).catch((error: unknown) => {
      throw dependencies.isRefusal(error) ? new AppError('session.missing') : error
    })
    if (!(await dependencies.isAlive(subject))) throw new AppError('session.missing')
    const account = await dependencies.account(subject.userId)
    if (!account) throw new AppError('session.unknown_user')
    return { sessionId: subject.sessionId, account }
  }

  const remembered = new LRUCache<string, Remembered>({
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
      return found.account
    },
    forget(sessionId) {
      ended.set(sessionId, true)
    },
  }
}
