import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import { createQueryClient, retryUnavailable } from './query-client.ts'

test('without a network, reading and writing fail instead of waiting for it', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const client = createQueryClient()
  const fail = () => Promise.reject(new Error('no network'))
  await expect(client.fetchQuery({ queryKey: ['orders'], queryFn: fail })).rejects.toThrow(
    'no network',
  )
  const mutation = client.getMutationCache().build(client, { mutationFn: fail })
  await expect(mutation.execute(undefined)).rejects.toThrow('no network')
})

describe('while the server is unavailable', () => {
  type Options = { refetchOnReconnect?: false }

  /** Queries on the screen of a client that retries, by name. `failWith` is what all of them fail with. */
  function screenOf(names: Record<string, Options>, jitter = 0.5) {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(jitter)
    const client = retryUnavailable(createQueryClient(0))
    const server: { failWith: Error | null } = { failWith: new ApiError(503, 'unavailable') }
    const asked: string[] = []
    const observers = Object.entries(names).map(([name, options]) => {
      async function queryFn() {
        asked.push(name)
        if (server.failWith) throw server.failWith
        return `${name}: fresh`
      }
      const observer = new QueryObserver(client, { queryKey: [name], queryFn, ...options })
      onTestFinished(observer.subscribe(() => undefined))
      return observer
    })
    onTestFinished(() => client.clear())
    const shown = () => observers.map((observer) => observer.getCurrentResult().data)
    return { client, server, asked, observers, shown }
  }

  test.each([
    ['none was reached', new ApiError(0, 'not reached'), true],
    ['none answered in time', new ApiError(0, 'too late', { timedOut: true }), true],
    ['a proxy reached none', new ApiError(502, 'bad gateway'), true],
    ['there is no database', new ApiError(503, 'unavailable'), true],
    ['a proxy got no answer', new ApiError(504, 'too late'), true],
    ['the server has a fault', new ApiError(500, 'internal'), false],
    ['it is too often asked', new ApiError(429, 'too many'), false],
    ['the session is missing', new ApiError(401, 'missing'), false],
    ['it is refused', new ApiError(403, 'refused'), false],
    ['there is nothing', new ApiError(404, 'not found'), false],
    ['the answer is of another version', new ApiError(200, 'not agreed'), false],
    ['the page is at fault', new TypeError('fault'), false],
  ])('%s: what has failed is read again by itself: %#', async (_, error, isRetried) => {
    const { server, shown } = screenOf({ orders: {} })
    server.failWith = error
    await vi.advanceTimersByTimeAsync(30_000)
    server.failWith = null
    await vi.advanceTimersByTimeAsync(9_000)
    expect(shown()).toEqual([isRetried ? 'orders: fresh' : undefined])
  })

  test.each([
    [0, [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500]],
    [1, [0, 1000, 3000, 7000, 15_000, 23_000, 31_000, 39_000]],
  ])('pauses grow from a second to eight, and are halved by chance (%d)', async (jitter, times) => {
    const { asked } = screenOf({ orders: {} }, jitter)
    const seen: number[] = []
    const start = Date.now()
    for (let step = 0; step < 80; step++) {
      await vi.advanceTimersByTimeAsync(step === 0 ? 0 : 500)
      while (seen.length < asked.length) seen.push(Date.now() - start)
    }
    expect(seen.slice(0, times.length)).toEqual(times)
  })

  test('a screen asks for one of its parts at a time, and for all of them after an answer', async () => {
    const { server, asked, shown } = screenOf({ orders: {}, offers: {}, board: {} })
    await vi.advanceTimersByTimeAsync(0)
    expect(asked.splice(0)).toEqual(['orders', 'offers', 'board'])
    await vi.advanceTimersByTimeAsync(30_000)
    // 0.75, 1.5, 3 and then 6 seconds apart.
    expect(asked.splice(0)).toEqual([
      'orders',
      'offers',
      'board',
      'orders',
      'offers',
      'board',
      'orders',
    ])
    server.failWith = null
    await vi.advanceTimersByTimeAsync(6_000)
    expect(asked.splice(0)).toEqual(['offers', 'orders', 'offers', 'board'])
    expect(shown()).toEqual(['orders: fresh', 'offers: fresh', 'board: fresh'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([])
  })

  test('the pauses of the next outage are short again', async () => {
    const { client, server, asked } = screenOf({ orders: {} })
    await vi.advanceTimersByTimeAsync(60_000)
    server.failWith = null
    await vi.advanceTimersByTimeAsync(20_000)
    server.failWith = new ApiError(503, 'unavailable')
    await client.invalidateQueries()
    asked.length = 0
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked).toEqual(['orders'])
  })

  test('a further failure changes nothing on the screen', async () => {
    const { observers, asked } = screenOf({ orders: {} })
    await vi.advanceTimersByTimeAsync(0)
    const changed = vi.fn<() => void>()
    for (const observer of observers) onTestFinished(observer.subscribe(changed))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked.length).toBeGreaterThan(5)
    expect(changed).not.toHaveBeenCalled()
  })

  test('an answer that refuses ends the retries, and is shown', async () => {
    const { server, asked, observers } = screenOf({ orders: {} })
    await vi.advanceTimersByTimeAsync(0)
    server.failWith = new ApiError(403, 'refused')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual(['orders', 'orders', 'orders'])
    expect(observers[0]?.getCurrentResult().error).toBe(server.failWith)
  })

  test('what must not be read without a user action, or is not on the screen, is left alone', async () => {
    const { client, asked } = screenOf({ orders: { refetchOnReconnect: false } })
    const queryFn = () => Promise.reject(new ApiError(503, 'unavailable'))
    await client.prefetchQuery({ queryKey: ['next page'], queryFn })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual(['orders'])
    expect(client.getQueryState(['next page'])?.errorUpdateCount).toBe(1)
  })

  test('the answer to a retry is not kept', async () => {
    const { client, server } = screenOf({ orders: {} })
    await vi.advanceTimersByTimeAsync(0)
    server.failWith = null
    await vi.advanceTimersByTimeAsync(20_000)
    expect(
      client
        .getQueryCache()
        .findAll()
        .map(({ queryKey }) => queryKey),
    ).toEqual([['orders']])
  })
})
