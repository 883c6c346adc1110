import type { Role } from '@bancone/contract/access'
import type { Endpoint } from '@bancone/contract/endpoint'
import { type ErrorCode, errorStatus } from '@bancone/contract/errors'

/** The properties of a caller that decide about access. */
export type CallerState = {
  /** The presented credential: none, an access token, or an API key of the pharmacy. */
  shows: 'nothing' | 'session' | 'key'
  /** The credential is invalid: the session ended, the key was revoked, or the user was removed or banned. */
  isRevoked?: true
  /** The account is closed or deleted. */
  isAccountClosed?: true
  worksAt?: { isActive: boolean; hasFeatures: boolean; role: Role }
  isAdmin?: true
  /** The user's second factor, if there is one: whether the session is of level aal2. */
  factor?: 'shown' | 'not shown'
  /** The last authentication in the session is older than 24 hours. */
  isStale?: true
  /** The server requires a second factor of administrators. */
  adminsNeedFactor?: true
}

export type Outcome = 'let in' | ErrorCode

type Rule = readonly [
  Outcome,
  (caller: CallerState, endpoint: Pick<Endpoint, 'access' | 'feature' | 'role'>) => boolean,
]

const isForPharmacies = (access: Endpoint['access']) => access.startsWith('pharmacy')

/** The first rule that applies decides. */
const rules: readonly Rule[] = [
  ['let in', (_caller, { access }) => access === 'public'],
  ['session.unknown_user', ({ isAccountClosed }) => isAccountClosed === true],
  ['session.missing', ({ shows, isRevoked }) => shows === 'nothing' || isRevoked === true],
  ['session.missing', ({ shows }, { access }) => shows === 'key' && access !== 'pharmacy-or-key'],
  ['session.second_factor_needed', ({ factor }) => factor === 'not shown'],
  [
    'session.enrolment_needed',
    ({ isAdmin, adminsNeedFactor, factor }) => Boolean(isAdmin && adminsNeedFactor && !factor),
  ],
  ['let in', (_caller, { access }) => access === 'account'],
  ['let in', ({ isAdmin }, { access }) => Boolean(isAdmin && /\badmin$/.test(access))],
  ['access.denied', (_caller, { access }) => !isForPharmacies(access)],
  ['access.denied', ({ isAdmin, worksAt }) => Boolean(isAdmin && !worksAt)],
  ['pharmacy.not_found', ({ worksAt }) => !worksAt],
  ['pharmacy.inactive', ({ worksAt }) => worksAt?.isActive !== true],
  ['access.denied', ({ worksAt }, { feature }) => Boolean(feature && !worksAt?.hasFeatures)],
  ['access.owners_only', ({ worksAt }, { role }) => role === 'owner' && worksAt?.role !== 'owner'],
  ['let in', () => true],
]

/** The expected outcome of an endpoint for a caller. */
export function outcome(endpoint: Endpoint, caller: CallerState): Outcome {
  const rule = rules.find(([, applies]) => applies(caller, endpoint))
  if (!rule) throw new Error('the last rule always applies')
  return rule[0]
}

/** The error codes of refused calls. */
export const guardCodes = [...new Set(rules.map(([code]) => code))].filter(
  (code) => code !== 'let in',
)

/** The outcome as tests compare it: status and code, or 'let in' for any other response. */
export function describeOutcome(expected: Outcome): string {
  return expected === 'let in' ? expected : `${errorStatus(expected)} ${expected}`
}
