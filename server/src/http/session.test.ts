import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from '../base/app-error.ts'
import {
  type Account,
  type ApiKeyHolder,
  createSessions,
  isAccessDenied,
  SESSION_CACHE_MS,
} from './session.ts'

const account: Account = { userId: 'u', isAdmin: false, pharmacy: null }
const pharmacy = {
  id: 'p',
  isActive: true,
  features: [],
  orderSource: null,
  pageSource: null,
}

function sessionsOf(
  load: () => Promise<Account | undefined>,
  apiKeyHolder: () => Promise<ApiKeyHolder | undefined> = async () => undefined,
) {
  return createSessions({
    subject: async () => ({ userId: 'u', sessionId: 's' }),
    assurance: async () => ({ aal: 'aal1', isEnrolled: false }),
    adminMfaRequired: false,
    account: load,
    apiKeyHolder,
    pharmacyOfSupportSession: async () => undefined,
    isInvalidToken: () => false,
  })
}

describe('a key', () => {
  it('that is revoked while it is being looked up counts no more', async () => {
    let answer = (_holder: ApiKeyHolder) => {}
    const found = new Promise<ApiKeyHolder>((resolve) => {
      answer = resolve
    })
    const sessions = sessionsOf(
      () => Promise.resolve(account),
      () => found,
    )
    const asked = sessions.authenticateKey('Bearer bnc_key')
    sessions.markEnded('k')
    answer({ keyId: 'k', pharmacy })
    await expect(asked).rejects.toMatchObject({ code: 'session.missing' })
  })
})

describe('a session', () => {
  it('that ends while its account is being loaded is over', async () => {
    let answer = (_account: Account) => {}
    const loaded = new Promise<Account>((resolve) => {
      answer = resolve
    })
    const sessions = sessionsOf(() => loaded)
    const asked = sessions.authenticate('Bearer token')
    sessions.markEnded('s')
    answer(account)
    await expect(asked).rejects.toMatchObject({ code: 'session.missing' })
    await expect(sessions.authenticate('Bearer token')).rejects.toMatchObject({
      code: 'session.missing',
    })
  })

  it('is loaded once for those who ask at the same time', async () => {
    let loads = 0
    const sessions = sessionsOf(async () => {
      loads += 1
      return account
    })
    await Promise.all(Array.from({ length: 5 }, () => sessions.authenticate('Bearer token')))
    expect(loads).toBe(1)
  })

  it('of a user who is gone is no session', async () => {
    await expect(
      sessionsOf(async () => undefined).authenticate('Bearer token'),
    ).rejects.toMatchObject({
      code: 'session.unknown_user',
    })
  })
})

type Standing = { aal: 'aal1' | 'aal2'; isEnrolled: boolean }

/** The state of an account and its session, which a test changes while the earlier one is cached. */
function changing(start: Partial<Standing & { isAdmin: boolean; userId: string }> = {}) {
  const now = { aal: 'aal1' as const, isEnrolled: false, isAdmin: false, userId: 'u', ...start }
  const state: Standing & { isAdmin: boolean; userId: string; loads: number } = { ...now, loads: 0 }
  const sessions = (adminMfaRequired = false) =>
    createSessions({
      subject: async () => ({ userId: state.userId, sessionId: 's' }),
      assurance: async () => {
        state.loads += 1
        return { aal: state.aal, isEnrolled: state.isEnrolled }
      },
      adminMfaRequired,
      account: async () => ({
        userId: state.userId,
        isAdmin: state.isAdmin,
        pharmacy: { ...pharmacy, role: 'staff' },
      }),
      apiKeyHolder: async () => ({ keyId: 'k', pharmacy }),
      pharmacyOfSupportSession: async () => undefined,
      isInvalidToken: () => false,
    })
  return { state, sessions }
}

const needed = 'session.second_factor_needed'
const enrolment = 'session.enrolment_needed'

describe('a level', () => {
  it.each([
    [{ aal: 'aal1', isEnrolled: false, isAdmin: false }, false, 'let in'],
    [{ aal: 'aal1', isEnrolled: true, isAdmin: false }, false, needed],
    [{ aal: 'aal2', isEnrolled: true, isAdmin: false }, false, 'let in'],
    [{ aal: 'aal1', isEnrolled: false, isAdmin: true }, false, 'let in'],
    [{ aal: 'aal1', isEnrolled: true, isAdmin: true }, false, needed],
    [{ aal: 'aal2', isEnrolled: true, isAdmin: true }, false, 'let in'],
    [{ aal: 'aal1', isEnrolled: false, isAdmin: false }, true, 'let in'],
    [{ aal: 'aal1', isEnrolled: true, isAdmin: false }, true, needed],
    [{ aal: 'aal1', isEnrolled: false, isAdmin: true }, true, enrolment],
    [{ aal: 'aal1', isEnrolled: true, isAdmin: true }, true, needed],
    [{ aal: 'aal2', isEnrolled: true, isAdmin: true }, true, 'let in'],
  ] as const)('of %o, administrators needing one: %s, is %s', async (start, asked, expected) => {
    const told = await changing(start)
      .sessions(asked)
      .authenticate('Bearer token')
      .then(
        () => 'let in',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      )
    expect(told).toBe(expected)
  })

  it('that is too low is a refusal, and no failure', async () => {
    for (const code of [needed, enrolment, 'session.missing'] as const) {
      expect(isAccessDenied(new AppError(code))).toBe(true)
    }
    for (const error of [new AppError('service.unavailable'), new Error('away')]) {
      expect(isAccessDenied(error)).toBe(false)
    }
  })

  it.each([
    ['is too low', { isEnrolled: true }, { isEnrolled: true, aal: 'aal2' }],
    ['is high enough', {}, { isEnrolled: true }],
  ] as const)(
    'that %s is remembered for three seconds and no longer',
    async (_what, start, then) => {
      let now = 1_000
      const time = vi.spyOn(performance, 'now').mockImplementation(() => now)
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      onTestFinished(() => {
        time.mockRestore()
        vi.useRealTimers()
      })
      // The cache reads the clock at most once per millisecond.
      const pass = (milliseconds: number) => {
        now += milliseconds
        vi.advanceTimersByTime(milliseconds)
      }
      const { state, sessions: make } = changing(start)
      const sessions = make()
      const isIn = () =>
        sessions.authenticate('Bearer token').then(
          () => true,
          () => false,
        )
      const before = await isIn()
      Object.assign(state, then)
      pass(SESSION_CACHE_MS)
      expect(await isIn()).toBe(before)
      expect(state.loads).toBe(1)
      pass(1)
      expect(await isIn()).toBe(!before)
    },
  )
})

describe('a doubt', () => {
  it.each([
    ['of the user', 'u', true],
    ['of their pharmacy', 'p', true],
    ['of everybody', undefined, true],
    ['of another', 'x', false],
    ['of something else', 's', false],
  ])('%s (%s) is asked about again: %s', async (_whose, id, asksAgain) => {
    const { state, sessions: make } = changing({ isEnrolled: true })
    const sessions = make()
    await expect(sessions.authenticate('Bearer token')).rejects.toMatchObject({ code: needed })
    state.aal = 'aal2'
    sessions.invalidate(id)
    const asked = sessions.authenticate('Bearer token')
    if (asksAgain) expect(await asked).toMatchObject({ userId: 'u', pharmacy: { role: 'staff' } })
    else await expect(asked).rejects.toMatchObject({ code: needed })
  })

  it('of a pharmacy is one of all who work there, and of its keys', async () => {
    const { state, sessions: make } = changing()
    const sessions = make()
    expect(await sessions.authenticate('Bearer one')).toMatchObject({ userId: 'u' })
    expect(await sessions.authenticateKey('Bearer bnc_key')).toMatchObject({ keyId: 'k' })
    state.userId = 'other'
    expect(await sessions.authenticate('Bearer other')).toMatchObject({ userId: 'other' })
    state.isEnrolled = true
    sessions.invalidate('u')
    await expect(sessions.authenticate('Bearer one')).rejects.toMatchObject({ code: needed })
    expect(await sessions.authenticate('Bearer other')).toMatchObject({ userId: 'other' })
    sessions.invalidate('p')
    await expect(sessions.authenticate('Bearer other')).rejects.toMatchObject({ code: needed })
  })

  it('about an account that is being loaded makes the next request load it again', async () => {
    const answers: ((account: Account) => void)[] = []
    const sessions = sessionsOf(() => new Promise((resolve) => answers.push(resolve)))
    const before = sessions.authenticate('Bearer token')
    await expect.poll(() => answers).toHaveLength(1)
    sessions.invalidate('u')
    answers[0]?.(account)
    expect(await before).toMatchObject({ isAdmin: false })
    await pause(5)
    const after = sessions.authenticate('Bearer token')
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]?.({ ...account, isAdmin: true })
    expect(await after).toMatchObject({ isAdmin: true })
  })
})
