import { DAY_MS } from '@bancone/contract/dates'
import {
  WhatsAppProblemKind,
  type WhatsAppState,
  type WhatsAppStep,
} from '@bancone/contract/whatsapp'
import { z } from 'zod'
import type {
  NumberHealth,
  TokenFacts,
  WhatsAppBusinessErrorKind,
} from '../../ports/whatsapp-business.ts'

export type Problem = { step: WhatsAppStep; kind: WhatsAppProblemKind }

/** The kinds that only refusals of messages have are no kinds of problems. */
export function problemKindOf(kind: WhatsAppBusinessErrorKind): WhatsAppProblemKind {
  if (kind === 'policy') return 'restricted'
  if (kind === 'pair') return 'rate'
  return z.catch(WhatsAppProblemKind, 'refused').parse(kind)
}

/** The permissions that a token needs. */
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

export function hasPermissions({ scopes }: Pick<TokenFacts, 'scopes'>): boolean {
  return SCOPES.every((scope) => scopes.includes(scope))
}

/**
 * Whether a number has to be registered before it can send. A number that is used in the WhatsApp Business app is never
 * registered: that would take it away from the app.
 */
export function needsRegistration(health: NumberHealth): boolean {
  if (health.isOnBusinessApp) return false
  return (
    health.verification === 'NOT_VERIFIED' ||
    health.platform === 'NOT_APPLICABLE' ||
    health.throughput === 'NOT_APPLICABLE'
  )
}

/** The state of a number whose token works. */
export function stateOfNumber(health: NumberHealth, isSubscribed: boolean): WhatsAppState {
  const { status, nameStatus } = health
  if (status === 'BANNED' || status === 'RESTRICTED') return 'restricted'
  if (health.isOnBusinessApp && status === 'DISCONNECTED') return 'offboarded'
  if (needsRegistration(health) || status === 'DISCONNECTED' || status === 'DELETED')
    return 'pending_number'
  if (!isSubscribed) return 'pending_number'
  return status === 'PENDING' || nameStatus === 'PENDING_REVIEW' ? 'in_review' : 'connected'
}

/** The state after a step has failed. @param before the state until now */
export function stateOfProblem({ kind }: Problem, before: WhatsAppState): WhatsAppState {
  if (kind === 'expired' || kind === 'permission') return 'needs_reauth'
  return kind === 'restricted' ? 'restricted' : before
}

/** The states in which a number that worked does not work any more, which the pharmacy is told. */
export function isLost(before: WhatsAppState, after: WhatsAppState): boolean {
  const works = before === 'connected' || before === 'in_review' || before === 'offboarded'
  return works && (after === 'needs_reauth' || after === 'restricted' || after === 'disconnected')
}

/** What an event of the field `account_update` means; `check`: the connection has to be checked. */
export function effectOfAccountUpdate(event: string): WhatsAppState | 'check' {
  switch (event) {
    case 'ACCOUNT_OFFBOARDED':
      return 'offboarded'
    case 'PARTNER_REMOVED':
    case 'PARTNER_APP_UNINSTALLED':
    case 'ACCOUNT_DELETED':
      return 'disconnected'
    default:
      return 'check'
  }
}

/** Days before the end of an authorization at which the pharmacy is told, the last first. */
const NOTIFIED_DAYS = [1, 7, 14]

/**
 * Of how many days before the end the pharmacy has to be told now: 14, 7 or 1; undefined: of none.
 *
 * @param told the smallest number of days of which it was told
 */
export function dueExpiryNotice(
  expiresAt: string | null,
  told: number | null,
  now: number,
): number | undefined {
  if (expiresAt === null) return undefined
  const left = Date.parse(expiresAt) - now
  const days = NOTIFIED_DAYS.find((each) => left <= each * DAY_MS)
  return left > 0 && days !== undefined && (told === null || days < told) ? days : undefined
}
