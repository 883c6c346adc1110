import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { authError } from '../../test/auth-error.ts'
import { sessionOf } from '../../test/fixtures.ts'
import { allowPrinted } from '../../test/printed.ts'
import { StubApi } from '../../test/stub-api.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

let api: StubApi
let keeper: SessionStore
let key: string
let count = 0

beforeEach(() => {
  api = new StubApi()
  api.install()
  // A client lives as long as the page: each test has one of its own.
  count += 1
  key = `session-${count}`
  keeper = createSessionStore(key, `left-${count}`)
})

afterEach(() => keeper.stop())

function store(session: ReturnType<typeof sessionOf>) {
  localStorage.setItem(key, JSON.stringify(session))
}

const never = () => new Promise<Response>(() => undefined)

test('the auth client is made when it is first needed', async () => {
  const opened = vi.fn<(name: string) => void>()
  vi.stubGlobal(
    'BroadcastChannel',
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name)
        opened(name)
      }
    },
  )
  const another = createSessionStore(`${key}-other`, 'left-other')
  expect(another.state()).toEqual({ status: 'loading' })
  expect(opened).not.toHaveBeenCalled()
  await another.auth()
  expect(opened.mock.calls).toEqual([[`${key}-other`]])
})

describe('the token for a call', () => {
  test('is waited for up to 5 seconds while it is refreshed', async () => {
    vi.useFakeTimers()
    store(sessionOf(undefined, { lasts: -60 }))
    api.auth('POST', '/token', never)
    const settled = vi.fn<() => void>()
    const refusal = keeper.accessToken().then(
      () => 'a token',
      (error: unknown) => {
        settled()
        return String(error)
      },
    )
    await vi.advanceTimersByTimeAsync(4_900)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    expect(await refusal).toContain('could not be refreshed')
    expect(localStorage.getItem(key)).not.toBeNull()
  })

  test('is the old one after 5 seconds, as long as that is good', async () => {
    vi.useFakeTimers()
    const old = sessionOf(undefined, { lasts: 60 })
    store(old)
    api.auth('POST', '/token', never)
    const token = keeper.accessToken()
    await vi.advanceTimersByTimeAsync(5_100)
    await expect(token).resolves.toBe(old.access_token)
  })

  test('is none when the server has forgotten the session, which ends quietly', async () => {
    store(sessionOf(undefined, { lasts: -60 }))
    api.auth('POST', '/token', () => authError(403, 'session_not_found'))
    await expect(keeper.accessToken()).resolves.toBeNull()
    expect(keeper.state()).toEqual({ status: 'signed-out', reason: 'absent' })
    expect(localStorage.getItem(key)).toBeNull()
  })
})

test('a call of the auth client is given up after 10 seconds', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')))
    })
  })
  const client = await keeper.auth()
  const answer = client.signInWithPassword({ email: 'a@example.it', password: 'x' })
  await vi.waitFor(() => expect(timeout).toHaveBeenCalledWith(10_000))
  limit.abort()
  expect((await answer).error?.message).toBe('given up')
  allowPrinted(/given up/)
})

test('how long to wait is heard although the client drops the headers', async () => {
  api.auth('POST', '/token', () => authError(429, 'over_request_rate_limit', { retryAfter: 40 }))
  const client = await keeper.auth()
  const { error } = await client.signInWithPassword({ email: 'a@example.it', password: 'x' })
  expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
  expect(error?.message).toMatch(/after 40 seconds/)
})

describe('the state', () => {
  const watch = () => {
    const states: string[] = []
    keeper.subscribe(() => states.push(keeper.state().status))
    return states
  }

  test('is loading, then who is signed in; a refresh of the token changes nothing', async () => {
    store(sessionOf())
    api.auth('POST', '/token', () => Response.json(sessionOf(undefined, { lasts: 7200 })))
    const states = watch()
    await vi.waitFor(() => expect(states).toEqual(['signed-in']))
    const before = keeper.state()
    const client = await keeper.auth()
    await client.refreshSession()
    expect(keeper.state()).toBe(before)
    expect(states).toEqual(['signed-in'])
  })

  test('stops loading after 15 seconds, with an expired session whose refresh is not answered', async () => {
    vi.useFakeTimers()
    store(sessionOf(undefined, { lasts: -60 }))
    api.auth('POST', '/token', never)
    const states = watch()
    await vi.advanceTimersByTimeAsync(14_900)
    expect(states).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(states).toEqual(['signed-in'])
  })

  test('needs no auth client while the token is valid, which is refreshed in time all the same', async () => {
    vi.useFakeTimers()
    store(sessionOf(undefined, { lasts: 600 }))
    const renewed = sessionOf(undefined, { lasts: 7200 })
    api.auth('POST', '/token', () => Response.json(renewed))
    const states = watch()
    await vi.advanceTimersByTimeAsync(9_900)
    expect(states).toEqual(['signed-in'])
    expect(api.requests).toEqual([])
    await expect(keeper.accessToken()).resolves.toBe(keeper.current()?.accessToken)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(keeper.current()?.accessToken).toBe(renewed.access_token)
  })

  test('tells that the user ended once, and again for the next one', async () => {
    const userEnded = vi.fn<() => void>()
    keeper.onUserChange(userEnded)
    store(sessionOf())
    const states = watch()
    await vi.waitFor(() => expect(states).toEqual(['signed-in']))
    const other = sessionOf('0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11')
    api.auth('POST', '/token', () => Response.json(other))
    const client = await keeper.auth()
    await client.signInWithPassword({ email: 'b@example.it', password: 'x' })
    expect(userEnded).toHaveBeenCalledTimes(1)
    api.auth('POST', '/logout', () => new Response(null, { status: 204 }))
    keeper.signOut()
    keeper.signOut()
    expect(userEnded).toHaveBeenCalledTimes(2)
  })
})
