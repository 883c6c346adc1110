import type { Feature, Role } from '@bancone/contract/access'
import { API_KEY_PREFIX } from '@bancone/contract/api-keys'
import { AppError } from '../base/app-error.ts'
import { createCache } from '../platform/cache.ts'

/** The pharmacy of a session, with the location of its orders. */
export type SessionPharmacy = {
  id: string
  isActive: boolean
  features: Feature[]
  /** The pharmacy's Airtable base and table; null when its orders exist only in the database. */
  orderSource: { baseId: string; tableId: string } | null
  /** The same while pages wait for it; null in the phase `database`, in which Airtable only follows. */
  pageSource: { baseId: string; tableId: string } | null
}

/** @throws AppError `pharmacy.inactive` */
export function requireActive({ isActive }: SessionPharmacy): void {
  if (!isActive) throw new AppError('pharmacy.inactive')
}

export type Account = {
  userId: string
  isAdmin: boolean
  /** The user's pharmacy; null for users without one. The primary account of a pharmacy has the pharmacy's id. */
  pharmacy: (SessionPharmacy & { role: Role }) | null
}

type Subject = { userId: string; sessionId: string }

/** The session's authenticator assurance level (AAL), and whether its user has enrolled a second factor. */
type SessionAssurance = { aal: 'aal1' | 'aal2'; isEnrolled: boolean }

/** The account of the caller, with the session. */
export type SignedInAccount = Account & { sessionId: string }

export type ApiKeyHolder = { keyId: string; pharmacy: SessionPharmacy }

type Dependencies = {
  /** Verifies an access token. @throws if it is invalid or has expired */
  subject(token: string): Promise<Subject>
  /** Undefined when the session has ended, or its user is banned. */
  assurance(subject: Subject): Promise<SessionAssurance | undefined>
  /** Undefined when the user does not exist any more, or the account is closed. */
  account(userId: string): Promise<Account | undefined>
  /** The pharmacy and the id of an API key; undefined when the key is unknown or revoked. */
  apiKeyHolder(key: string): Promise<ApiKeyHolder | undefined>
  /** The pharmacy of a support session in progress; undefined when the sign-in has none of that id. */
  pharmacyOfSupportSession(
    supportSessionId: string,
    adminSession: { userId: string; sessionId: string },
  ): Promise<SessionPharmacy | undefined>
  /** Whether an error of `subject` means an invalid token, rather than a failure of the server. */
  isInvalidToken(error: unknown): boolean
  /** Whether administrators are required to enrol a second factor. */
  adminMfaRequired: boolean
}

export type Sessions = {
  /**
   * The account of a bearer token.
   *
   * @param authorization the request header
   * @throws AppError `session.missing`, `session.unknown_user`; `session.second_factor_needed` and
   *   `session.enrolment_needed` when the session's assurance level is too low
   */
  authenticate(authorization: string | undefined): Promise<SignedInAccount>
  /**
   * The pharmacy of an API key; undefined when the bearer token is not an API key.
   * @throws AppError `session.missing` when the key is unknown or revoked
   */
  authenticateKey(authorization: string | undefined): Promise<ApiKeyHolder | undefined>
  /**
   * The account of an administrator in a support session: a member of staff of the visited pharmacy, and no
   * administrator. Nothing is cached, so that a support session ends at once.
   *
   * @throws AppError as `authenticate`; `access.denied` for others than administrators; `support.no_session`
   */
  authenticateSupportSession(
    authorization: string | undefined,
    supportSessionId: string,
  ): Promise<SignedInAccount>
  /** Refuses the session or API key with this id from now on, even if it is cached. */
  markEnded(id: string): void
  /** Removes the cached accounts of the user or pharmacy with this id, or all of them. */
  invalidate(id?: string): void
}

type MfaRequirement = 'session.second_factor_needed' | 'session.enrolment_needed'

type CachedAccount = SignedInAccount & { mfaRequirement: MfaRequirement | null }

/** Whether an error of `Sessions` means refused access (401 or 403), rather than a failure of the server. */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof AppError && (error.status === 401 || error.status === 403)
}

/**
 * Checking a token takes a signature verification and two queries, so the result is cached. The database notifies all
 * processes of ended sessions and changed accounts. While the connection for events is broken, a change takes effect
 * when the cached result expires.
 */
export const SESSION_CACHE_MS = 3_000

const SUPPORT_SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Longer than loading and caching an account can take. */
const ENDED_CACHE_MS = 120_000

export function createSessions(dependencies: Dependencies): Sessions {
  function mfaRequirementOf(
    { isAdmin }: Account,
    { aal, isEnrolled }: SessionAssurance,
  ): MfaRequirement | null {
    if (aal === 'aal2') return null
    if (isEnrolled) return 'session.second_factor_needed'
    const mustEnrol = isAdmin && dependencies.adminMfaRequired
    return mustEnrol ? 'session.enrolment_needed' : null
  }

  async function load(token: string): Promise<CachedAccount> {
    const subject = await dependencies.subject(token).catch((error: unknown) => {
      throw dependencies.isInvalidToken(error) ? new AppError('session.missing') : error
    })
    // A closed account has no session either; checked first, so that the error names the actual reason.
    const account = await dependencies.account(subject.userId)
    if (!account) throw new AppError('session.unknown_user')
    const assurance = await dependencies.assurance(subject)
    if (!assurance) throw new AppError('session.missing')
    return {
      ...account,
      sessionId: subject.sessionId,
      mfaRequirement: mfaRequirementOf(account, assurance),
    }
  }

  async function loadHolder(key: string): Promise<ApiKeyHolder> {
    const holder = await dependencies.apiKeyHolder(key)
    if (!holder) throw new AppError('session.missing')
    return holder
  }

  const accounts = createCache<CachedAccount>({
    max: 10_000,
    ttlMs: SESSION_CACHE_MS,
    tagsOf: ({ userId, pharmacy }) => (pharmacy ? [userId, pharmacy.id] : [userId]),
  })

  const holders = createCache<ApiKeyHolder>({
    max: 1_000,
    ttlMs: SESSION_CACHE_MS,
    tagsOf: ({ pharmacy }) => [pharmacy.id],
  })

  // Also refuses accounts that were being loaded when the session ended.
  const ended = createCache<true>({ max: 10_000, ttlMs: ENDED_CACHE_MS })

  async function authenticate(authorization: string | undefined): Promise<SignedInAccount> {
    const token = bearer(authorization)
    if (token === '') throw new AppError('session.missing')
    const found = accounts.get(token) ?? (await accounts.load(token, () => load(token)))
    if (ended.get(found.sessionId)) throw new AppError('session.missing')
    if (found.mfaRequirement) throw new AppError(found.mfaRequirement)
    return found
  }

  return {
    authenticate,
    async authenticateSupportSession(authorization, supportSessionId) {
      const { userId, sessionId, isAdmin } = await authenticate(authorization)
      if (!isAdmin) throw new AppError('access.denied')
      const pharmacy = SUPPORT_SESSION_ID.test(supportSessionId)
        ? await dependencies.pharmacyOfSupportSession(supportSessionId, { userId, sessionId })
        : undefined
      if (!pharmacy) throw new AppError('support.no_session')
      return { userId, sessionId, isAdmin: false, pharmacy: { ...pharmacy, role: 'staff' } }
    },
    async authenticateKey(authorization) {
      const key = bearer(authorization)
      if (!key.startsWith(API_KEY_PREFIX)) return undefined
      const holder = holders.get(key) ?? (await holders.load(key, () => loadHolder(key)))
      if (ended.get(holder.keyId)) throw new AppError('session.missing')
      return holder
    },
    markEnded(id) {
      ended.set(id, true)
    },
    invalidate(id) {
      accounts.invalidate(id)
      holders.invalidate(id)
    },
  }
}

function bearer(authorization: string | undefined): string {
  return authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
}
