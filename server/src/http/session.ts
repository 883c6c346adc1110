import type { Feature, Role } from '@bancone/contract/access'
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

export type Account = {
  userId: string
  isAdmin: boolean
  /** Where they work; a pharmacy's own account has its id. */
  pharmacy: (SessionPharmacy & { role: Role }) | null
}

type Subject = { userId: string; sessionId: string }

/** The session's level, and whether its user has a second factor. */
type Standing = { aal: 'aal1' | 'aal2'; isEnrolled: boolean }

/** Who calls, and in which session. */
export type SignedIn = Account & { sessionId: string }

export type KeyHolder = { keyId: string; pharmacy: SessionPharmacy }

type Dependencies = {
  /** @throws if the token is not one of ours or has expired */
  subject(token: string): Promise<Subject>
  /** Undefined when the session has ended, or its user may not use it. */
  standing(subject: Subject): Promise<Standing | undefined>
  /** Undefined when there is no such user any more, or their account is closed. */
  account(userId: string): Promise<Account | undefined>
  /** The pharmacy of an API key, and the key's id; undefined when it is none, or not one any more. */
  keyHolder(key: string): Promise<KeyHolder | undefined>
  /** True for the errors of `subject` that mean 'no session', rather than a failure of ours. */
  isRefusal(error: unknown): boolean
  /** Whether administrators must have a second factor. */
  administratorsNeedFactor: boolean
}

export type Sessions = {
  /**
   * The account of a bearer token.
   *
   * @throws AppError `session.missing`, `session.unknown_user`; `session.second_factor_needed` and
   *   `session.enrolment_needed` while it is not sure enough who it is
   */
  of(authorization: string | undefined): Promise<SignedIn>
  /**
   * The holder of an API key; undefined when what was sent is none.
   * @throws AppError `session.missing` when it is one that nobody has, or has no more
   */
  ofKey(authorization: string | undefined): Promise<KeyHolder | undefined>
  /** A session or a key has ended: from now on it is over, whatever is remembered of it. */
  forget(id: string): void
  /** What was remembered may not be so any more: of that user or pharmacy, or of everybody. */
  doubt(id?: string): void
}

type Lack = 'session.second_factor_needed' | 'session.enrolment_needed'

type Remembered = SignedIn & { lacks: Lack | null }

/** True for the errors of `Sessions.of` that mean: not let in. */
export function isLetInNowhere(error: unknown): boolean {
  return error instanceof AppError && (error.status === 401 || error.status === 403)
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
  function lacking({ isAdmin }: Account, { aal, isEnrolled }: Standing): Lack | null {
    if (aal === 'aal2') return null
    if (isEnrolled) return 'session.second_factor_needed'
    const mustEnrol = isAdmin && dependencies.administratorsNeedFactor
    return mustEnrol ? 'session.enrolment_needed' : null
  }

  async function load(token: string): Promise<Remembered> {
    const subject = await dependencies.subject(token).catch((error: unknown) => {
      throw dependencies.isRefusal(error) ? new AppError('session.missing') : error
    })
    // Whose account is closed has no session either: they are told which of the two it is.
    const account = await dependencies.account(subject.userId)
    if (!account) throw new AppError('session.unknown_user')
    const standing = await dependencies.standing(subject)
    if (!standing) throw new AppError('session.missing')
    return { ...account, sessionId: subject.sessionId, lacks: lacking(account, standing) }
  }

  let doubts = 0

  /** What was doubted while it was being loaded is for those who wait for it, and for nobody after them. */
  async function unlessDoubted<T>(loading: () => Promise<T>, options: { ttl?: number }) {
    const before = doubts
    const found = await loading()
    if (doubts !== before) options.ttl = 1
    return found
  }

  const remembered = new LRUCache<string, Remembered>({
    max: 10_000,
    ttl: SESSION_MEMORY_MS,
    fetchMethod: (token, _stale, { options }) => unlessDoubted(() => load(token), options),
  })

  // Also what was being loaded while it ended.
  const ended = new LRUCache<string, true>({ max: 10_000, ttl: ENDED_MEMORY_MS })

  const holders = new LRUCache<string, KeyHolder>({
    max: 1_000,
    ttl: SESSION_MEMORY_MS,
    fetchMethod: (key, _stale, { options }) =>
      unlessDoubted(() => dependencies.keyHolder(key), options),
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
      if (found.lacks) throw new AppError(found.lacks)
      return found
    },
    forget(id) {
      ended.set(id, true)
    },
    doubt(id) {
      doubts += 1
      // What is being loaded stays: to take it away would fail the call that waits for it.
      const doubted = [...remembered.entries()].filter(
        ([, known]) => id === undefined || known.userId === id || known.pharmacy?.id === id,
      )
      for (const [token] of doubted) remembered.delete(token)
      for (const [key, { pharmacy }] of holders.entries()) {
        if (id === undefined || pharmacy.id === id) holders.delete(key)
      }
    },
  }
}

function bearer(authorization: string | undefined): string {
  return authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
}
