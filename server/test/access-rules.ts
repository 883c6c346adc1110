import type { Role } from '@bancone/contract/access'
import type { Endpoint } from '@bancone/contract/endpoint'
import { type ErrorCode, errorStatus } from '@bancone/contract/errors'

/** What decides about whoever calls, and nothing else of them. */
export type Standing = {
  /** What they show: nothing, the token of a session, or an API key of their pharmacy. */
  shows: 'nothing' | 'session' | 'key'
  /** It counts no more: ended, revoked, or of somebody who was removed or shut out. */
  isOver?: true
  /** It is of an account that is closed, or not there any more. */
  isOfNobody?: true
  worksAt?: { isActive: boolean; hasFeatures: boolean; role: Role }
  isAdmin?: true
  /** Their second factor, if they have one: whether this session has shown it. */
  factor?: 'shown' | 'not shown'
  /** The server asks administrators for one. */
  adminsNeedFactor?: true
}

export type Outcome = 'let in' | ErrorCode

type Rule = readonly [
  Outcome,
  (caller: Standing, endpoint: Pick<Endpoint, 'access' | 'feature' | 'role'>) => boolean,
]

const isForPharmacies = (access: Endpoint['access']) => access.startsWith('pharmacy')

/** The first that applies decides. */
const rules: readonly Rule[] = [
  ['let in', (_caller, { access }) => access === 'public'],
  ['session.unknown_user', ({ isOfNobody }) => isOfNobody === true],
  ['session.missing', ({ shows, isOver }) => shows === 'nothing' || isOver === true],
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

/** Whether somebody may make a call, by what the call says of itself and what decides about them. */
export function outcome(endpoint: Endpoint, caller: Standing): Outcome {
  const rule = rules.find(([, applies]) => applies(caller, endpoint))
  if (!rule) throw new Error('the last rule always applies')
  return rule[0]
}

/** What a call answers whoever may not make it. */
export const guardCodes = [...new Set(rules.map(([code]) => code))].filter(
  (code) => code !== 'let in',
)

/** As an answer shows it: its status and code, or 'let in' whatever became of the call then. */
export function told(expected: Outcome): string {
  return expected === 'let in' ? expected : `${errorStatus[expected]} ${expected}`
}
