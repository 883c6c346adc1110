import { ActivityKind } from '@bancone/contract/account'
import { describe, expect, it } from 'vitest'
import { SHOWN_ACTIVITY, shownActivityOf } from './activity.rules.ts'

const me = 'me'
const event = (action: string, details: unknown = {}, actorId: string | null = null) =>
  shownActivityOf({ action, userId: me, actorId, details })

describe('what is told of an account', () => {
  it.each([
    ['signed_in', { method: 'password' }, 'signed_in', 'password'],
    ['signed_in', {}, 'signed_in', null],
    ['sign_in_failed', { method: 'password' }, 'sign_in_failed', null],
    ['signed_out', { scope: 'local', sessions: 1 }, 'signed_out', null],
    ['signed_out', { scope: 'global', sessions: 3 }, 'signed_out', null],
    ['signed_out', { scope: 'others', sessions: 2 }, 'session_ended', null],
    ['password_changed', {}, 'password_changed', null],
    ['current_password_failed', {}, 'confirmation_failed', null],
    ['reauthentication_failed', {}, 'confirmation_failed', null],
    ['link_used', { kind: 'recovery' }, 'recovery_link_used', null],
    ['signed_in', null, 'signed_in', null],
    ['signed_in', { method: 7 }, 'signed_in', null],
  ])('%s %j is %s', (action, details, kind, method) => {
    expect(event(action, details)).toEqual({ kind, method, isOwn: true })
  })

  it.each([
    ['user_changed', { fields: 'password_hash' }, 'account_changed_by_administrator'],
    ['link_generated', { type: 'magiclink' }, 'link_made_by_administrator'],
    ['user_invited', {}, 'invited'],
    ['factor_removed_by_administrator', {}, 'factor_removed_by_administrator'],
  ])(
    '%s %j by an administrator or a server is %s, from a place that is theirs alone',
    (action, details, kind) => {
      const theirs = { kind, method: null, isOwn: false }
      expect([event(action, details, 'an administrator'), event(action, details)]).toEqual([
        theirs,
        theirs,
      ])
    },
  )

  it('a change of one’s own account is one’s own, also as its actor', () => {
    expect(event('factor_removed', {}, me)).toMatchObject({ kind: 'factor_removed', isOwn: true })
  })

  it.each([
    ['link_used', { kind: 'magiclink' }],
    ['link_used', { kind: 'email_change_new' }],
    ['link_used', {}],
    ['mail_sent', { kind: 'recovery' }],
    ['session_expired', {}],
    ['sign_up_asked', {}],
    ['constructor', {}],
    ['toString', {}],
  ])('%s %j is not', (action, details) => {
    expect(event(action, details)).toBeNull()
  })

  it('is asked of the trail by every name it may have there, and by no other', () => {
    for (const action of SHOWN_ACTIVITY.actions)
      expect([action, event(action)]).not.toEqual([action, null])
    for (const kind of SHOWN_ACTIVITY.links) expect(event('link_used', { kind })).not.toBeNull()
    for (const kind of ActivityKind.options) expect(SHOWN_ACTIVITY.actions).toContain(kind)
  })
})
