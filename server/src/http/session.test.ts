import { describe, expect, it } from 'vitest'
import { type Account, createSessions, type KeyHolder } from './session.ts'

const account: Account = { userId: 'u', isAdmin: false, pharmacy: null }

function sessionsOf(
  load: () => Promise<Account | undefined>,
  keyHolder: () => Promise<KeyHolder | undefined> = async () => undefined,
) {
  return createSessions({
    subject: async () => ({ userId: 'u', sessionId: 's' }),
    isAlive: async () => true,
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
    answer({ keyId: 'k', pharmacy: { id: 'p', isActive: true, features: [], orderSource: null } })
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
