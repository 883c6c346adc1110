import type { WhatsAppState } from '@bancone/contract/whatsapp'
import { describe, expect, it } from 'vitest'
import type { NumberHealth } from '../../ports/whatsapp-business.ts'
import {
  dueExpiryNotice,
  effectOfAccountUpdate,
  isLost,
  needsRegistration,
  stateOfNumber,
  stateOfProblem,
} from './whatsapp.rules.ts'

const well: NumberHealth = {
  id: '2',
  displayPhoneNumber: '+39 041 520 1234',
  verifiedName: 'Farmacia San Marco',
  verification: 'VERIFIED',
  quality: 'GREEN',
  messagingLimit: 'TIER_250',
  status: 'CONNECTED',
  nameStatus: 'APPROVED',
  platform: 'CLOUD_API',
  throughput: 'STANDARD',
  isOnBusinessApp: false,
}

describe('a number', () => {
  it.each<[Partial<NumberHealth>, WhatsAppState, boolean]>([
    [{}, 'connected', false],
    // The verification of a registered number expires without any effect.
    [{ verification: 'EXPIRED' }, 'connected', false],
    [{ status: 'FLAGGED', quality: 'RED' }, 'connected', false],
    [{ status: 'PENDING', nameStatus: 'PENDING_REVIEW' }, 'in_review', false],
    [{ nameStatus: 'PENDING_REVIEW' }, 'in_review', false],
    [{ status: 'BANNED' }, 'restricted', false],
    [{ status: 'RESTRICTED', isOnBusinessApp: true }, 'restricted', false],
    [{ status: 'DISCONNECTED', isOnBusinessApp: true }, 'offboarded', false],
    [{ status: 'DISCONNECTED' }, 'pending_number', false],
    [{ platform: 'NOT_APPLICABLE' }, 'pending_number', true],
    [{ throughput: 'NOT_APPLICABLE' }, 'pending_number', true],
    [{ verification: 'NOT_VERIFIED' }, 'pending_number', true],
    [{ platform: 'NOT_APPLICABLE', isOnBusinessApp: true }, 'connected', false],
  ])('with %j is %s', (traits, state, isUnregistered) => {
    const health = { ...well, ...traits }
    expect([stateOfNumber(health, true), needsRegistration(health)]).toEqual([
      state,
      isUnregistered,
    ])
  })

  it('whose events do not arrive is not connected', () => {
    expect(stateOfNumber(well, false)).toBe('pending_number')
  })
})

it.each([
  ['expired', 'needs_reauth'],
  ['permission', 'needs_reauth'],
  ['restricted', 'restricted'],
  ['unreachable', 'connected'],
  ['rate', 'connected'],
] as const)('a step that fails with %s leads to %s', (kind, state) => {
  expect(stateOfProblem({ step: 'account', kind }, 'connected')).toBe(state)
})

it('the pharmacy is told when a number that worked stops, and not otherwise', () => {
  expect(isLost('connected', 'needs_reauth')).toBe(true)
  expect(isLost('in_review', 'restricted')).toBe(true)
  expect(isLost('needs_reauth', 'restricted')).toBe(false)
  expect(isLost('connected', 'offboarded')).toBe(false)
  expect(isLost('pending_number', 'needs_reauth')).toBe(false)
})

it.each([
  ['ACCOUNT_OFFBOARDED', 'offboarded'],
  ['ACCOUNT_RECONNECTED', 'check'],
  ['PARTNER_REMOVED', 'disconnected'],
  ['ACCOUNT_RESTRICTION', 'check'],
])('the event %s leads to %s', (event, effect) => {
  expect(effectOfAccountUpdate(event)).toBe(effect)
})

describe('the end of an authorization', () => {
  const now = Date.parse('2026-11-20T03:00:00Z')
  const inDays = (days: number) => new Date(now + days * 24 * 3600_000).toISOString()

  it.each([
    [15, null, undefined],
    [14, null, 14],
    [13, 14, undefined],
    [7, 14, 7],
    [6, null, 7],
    [1, 7, 1],
    [0.5, 1, undefined],
    [-1, 7, undefined],
  ])('in %s days, told of %s, is told with %s', (days, told, due) => {
    expect(dueExpiryNotice(inDays(days), told, now)).toBe(due)
  })

  it('that never comes is not told', () => {
    expect(dueExpiryNotice(null, null, now)).toBeUndefined()
  })
})
