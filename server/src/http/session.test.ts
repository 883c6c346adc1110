import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import {
  type Account,
  createSessions,
  isLetInNowhere,
  type KeyHolder,
  SESSION_MEMORY_MS,
} from './session.ts'

const account: Account = { userId: 'u', isAdmin: false, pharmacy: null }
const pharmacy = { id: 'p', isActive: true, features: [], orderSource: null }

function sessionsOf(
  load: () => Promise<Account | undefined>,
  keyHolder: () => Promise<KeyHolder | undefined> = async () => undefined,
) {
  return createSessions({
    subject: async () => ({ userId: 'u', sessionId: 's' }),
    standing: async () => ({ aal: 'aal1', isEnrolled: false }),
    administratorsNeedFactor: false,
    account: load,
    keyHolder,
    isRefusal: () => false,
  })
}

describe('a key', () => {
  it('that is revoked while it is being looked up counts no more', async () => {
    let answer = (_holder: KeyHolder) => {}
    const found = new Promise<KeyHolder>((resolve) => {
      answer = resolve
    })
    const sessions = sessionsOf(
      () => Promise.resolve(account),
      () => found,
    )
    const asked = sessions.ofKey('Bearer bnc_key')
    sessions.forget('k')
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
    const asked = sessions.of('Bearer token')
    sessions.forget('s')
    answer(account)
    await expect(asked).rejects.toMatchObject({ code: 'session.missing' })
    await expect(sessions.of('Bearer token')).rejects.toMatchObject({ code: 'session.missing' })
  })

  it('is loaded once for those who ask at the same time', async () => {
    let loads = 0
    const sessions = sessionsOf(async () => {
      loads += 1
      return account
    })
    await Promise.all(Array.from({ length: 5 }, () => sessions.of('Bearer token')))
    expect(loads).toBe(1)
  })

  it('of a user who is gone is no session', async () => {
    await expect(sessionsOf(async () => undefined).of('Bearer token')).rejects.toMatchObject({
      code: 'session.unknown_user',
    })
  })
})

type Standing = { aal: 'aal1' | 'aal2'; isEnrolled: boolean }

/** Whoever it is, and how their session stands: a test changes it under what is remembered. */
function changing(start: Partial<Standing & { isAdmin: boolean; userId: string }> = {}) {
  const now = { aal: 'aal1' as const, isEnrolled: false, isAdmin: false, userId: 'u', ...start }
  const state: Standing & { isAdmin: boolean; userId: string; loads: number } = { ...now, loads: 0 }
  const sessions = (administratorsNeedFactor = false) =>
    createSessions({
      subject: async () => ({ userId: state.userId, sessionId: 's' }),
      standing: async () => {
        state.loads += 1
        return { aal: state.aal, isEnrolled: state.isEnrolled }
      },
      administratorsNeedFactor,
      account: async () => ({
        userId: state.userId,
        isAdmin: state.isAdmin,
        pharmacy: { ...pharmacy, role: 'staff' },
      }),
      keyHolder: async () => ({ keyId: 'k', pharmacy }),
      isRefusal: () => false,
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
      .of('Bearer token')
      .then(
        () => 'let in',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      )
    expect(told).toBe(expected)
  })

  it('that is too low is a refusal, and no failure', async () => {
    for (const code of [needed, enrolment, 'session.missing'] as const) {
      expect(isLetInNowhere(new AppError(code))).toBe(true)
    }
    for (const error of [new AppError('service.unavailable'), new Error('away')]) {
      expect(isLetInNowhere(error)).toBe(false)
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
      // The time is looked at once in a millisecond.
      const pass = (milliseconds: number) => {
        now += milliseconds
        vi.advanceTimersByTime(milliseconds)
      }
      const { state, sessions: make } = changing(start)
      const sessions = make()
      const isIn = () =>
        sessions.of('Bearer token').then(
          () => true,
          () => false,
        )
      const before = await isIn()
      Object.assign(state, then)
      pass(SESSION_MEMORY_MS)
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
    await expect(sessions.of('Bearer token')).rejects.toMatchObject({ code: needed })
    state.aal = 'aal2'
    sessions.doubt(id)
    const asked = sessions.of('Bearer token')
    if (asksAgain) expect(await asked).toMatchObject({ userId: 'u', pharmacy: { role: 'staff' } })
    else await expect(asked).rejects.toMatchObject({ code: needed })
  })

  it('of a pharmacy is one of all who work there, and of its keys', async () => {
    const { state, sessions: make } = changing()
    const sessions = make()
    expect(await sessions.of('Bearer one')).toMatchObject({ userId: 'u' })
    expect(await sessions.ofKey('Bearer bnc_key')).toMatchObject({ keyId: 'k' })
    state.userId = 'other'
    expect(await sessions.of('Bearer other')).toMatchObject({ userId: 'other' })
    state.isEnrolled = true
    sessions.doubt('u')
    await expect(sessions.of('Bearer one')).rejects.toMatchObject({ code: needed })
    expect(await sessions.of('Bearer other')).toMatchObject({ userId: 'other' })
    sessions.doubt('p')
    await expect(sessions.of('Bearer other')).rejects.toMatchObject({ code: needed })
  })

  it('of what is just being loaded is for whoever asks next', async () => {
    const answers: ((account: Account) => void)[] = []
    const sessions = sessionsOf(() => new Promise((resolve) => answers.push(resolve)))
    const before = sessions.of('Bearer token')
    await expect.poll(() => answers).toHaveLength(1)
    sessions.doubt('u')
    answers[0]?.(account)
    expect(await before).toMatchObject({ isAdmin: false })
    await pause(5)
    const after = sessions.of('Bearer token')
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]?.({ ...account, isAdmin: true })
    expect(await after).toMatchObject({ isAdmin: true })
  })
})
