import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { storageKeys } from '../../lib/storage-keys.ts'
import { createVisits } from './visits.ts'

const OFFER = '6f6a5cf1-6a3c-4a5a-9df0-1d4c1a2b3c4d'
const OTHER_OFFER = '0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11'

let beacons: { path: string; body: Blob }[]
let taken: boolean

beforeEach(() => {
  beacons = []
  taken = true
  stand(navigator, 'sendBeacon', (path: string, body: Blob) => {
    if (taken) beacons.push({ path, body })
    return taken
  })
  stand(document, 'visibilityState', 'visible')
  for (const name of ['doNotTrack', 'globalPrivacyControl']) stand(navigator, name, undefined)
  stand(document, 'referrer', '')
})

/** What jsdom does not have, or lets nobody change. */
function stand(where: object, name: string, value: unknown) {
  Object.defineProperty(where, name, { configurable: true, writable: true, value })
}

async function sent() {
  const told = await Promise.all(
    beacons
      .splice(0)
      .map(async ({ path, body }) => ({ path, type: body.type, text: await textOf(body) })),
  )
  return told.map(({ path, type, text }) => {
    expect([path, type]).toEqual(['/api/public/visits', 'application/json'])
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  })
}

const textOf = async (body: Blob) => new TextDecoder().decode(await body.arrayBuffer())

/** Somebody looks at the page, until the end of the test. */
function look(code = 'PHARM-0001'): () => void {
  const end = createVisits(code).view()
  onTestFinished(end)
  return end
}

const kinds = async () => (await sent()).map(({ kind }) => kind)

function become(visibility: 'visible' | 'hidden') {
  stand(document, 'visibilityState', visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}

const handleCallback = (persisted: boolean) =>
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))

describe('a page', () => {
  test('that is seen is told, with where the visitor came from and no more of that', async () => {
    stand(document, 'referrer', 'https://example.it/cerca?q=antabuse#uno')
    look()
    const [view, ...others] = await sent()
    expect(others).toEqual([])
    expect(z.uuid().safeParse(view?.['sessionId']).success).toBe(true)
    expect(view).toEqual({
      pharmacyId: 'PHARM-0001',
      sessionId: view?.['sessionId'],
      kind: 'view',
      referrer: 'https://example.it/cerca',
    })
  })

  test('that was opened in the background is told when it is seen, once', async () => {
    become('hidden')
    look()
    expect(await kinds()).toEqual([])
    become('visible')
    expect(await kinds()).toEqual(['view'])
    vi.useFakeTimers({ now: Date.now() + 31_000 })
    become('hidden')
    become('visible')
    expect(beacons).toEqual([])
  })

  test('is told once in 30 seconds, also when it is loaded again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    look()
    look()
    vi.setSystemTime(Date.now() + 29_999)
    look()
    expect(await kinds()).toEqual(['view'])
    vi.setSystemTime(Date.now() + 1)
    look()
    expect(await kinds()).toEqual(['view'])
    look('PHARM-0002')
    expect(await kinds()).toEqual(['view'])
  })

  test('is told although the clock was put back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    look()
    vi.setSystemTime(Date.now() - 60 * 60_000)
    look()
    expect(await kinds()).toEqual(['view', 'view'])
  })

  test('is told again when the browser brings it back as it was', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const end = look()
    vi.setSystemTime(Date.now() + 30_000)
    handleCallback(false)
    expect(await kinds()).toEqual(['view'])
    handleCallback(true)
    expect(await kinds()).toEqual(['view'])
    vi.setSystemTime(Date.now() + 30_000)
    end()
    handleCallback(true)
    expect(await kinds()).toEqual([])
  })
})

describe('what is done on the page', () => {
  test('is told with its offers', async () => {
    const visits = createVisits('PHARM-0001')
    visits.opened(OFFER)
    visits.whatsApp([OFFER, OTHER_OFFER])
    visits.call()
    expect((await sent()).map(({ kind, offerIds }) => ({ kind, offerIds }))).toEqual([
      { kind: 'offer_opened', offerIds: [OFFER] },
      { kind: 'whatsapp_tapped', offerIds: [OFFER, OTHER_OFFER] },
      { kind: 'call_tapped', offerIds: [] },
    ])
  })

  test('is told of an offer that was opened in the background when it is seen', async () => {
    become('hidden')
    createVisits('PHARM-0001').opened(OFFER)
    expect(await kinds()).toEqual([])
    become('visible')
    become('hidden')
    become('visible')
    expect(await kinds()).toEqual(['offer_opened'])
  })

  test('is of one session, as long as the tab is there', async () => {
    look()
    createVisits('PHARM-0002').call()
    const [first, second] = await sent()
    expect(second?.['sessionId']).toBe(first?.['sessionId'])
    sessionStorage.clear()
    createVisits('PHARM-0001').call()
    expect((await sent())[0]?.['sessionId']).not.toBe(first?.['sessionId'])
  })

  test('is of one session also where nothing can be stored', async () => {
    for (const method of ['getItem', 'setItem'] as const) {
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('blocked', 'SecurityError')
      })
    }
    const visits = createVisits('PHARM-0001')
    look()
    look()
    visits.call()
    const told = await sent()
    expect(told.map(({ kind }) => kind)).toEqual(['view', 'call_tapped'])
    expect(new Set(told.map(({ sessionId }) => sessionId)).size).toBe(1)
  })

  test.each([
    ['takes no more', () => (taken = false)],
    ['has none', () => stand(navigator, 'sendBeacon', undefined)],
  ])(
    'is told by a call where the beacon %s, and nobody hears that it failed',
    async (_, change) => {
      change()
      const asked: [string, RequestInit][] = []
      vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
        asked.push([path, init])
        return Promise.reject(new TypeError('offline'))
      })
      createVisits('PHARM-0001').call()
      expect(asked).toMatchObject([['/api/public/visits', { method: 'POST', keepalive: true }]])
      const body = z.instanceof(Blob).parse(asked[0]?.[1].body)
      expect(body.type).toBe('application/json')
      expect(JSON.parse(await textOf(body))).toMatchObject({ kind: 'call_tapped' })
    },
  )
})

describe('nothing is told, and nothing is stored,', () => {
  test.each([
    [
      'where the pharmacy is signed in',
      () => localStorage.setItem(storageKeys.pharmacy.session, '{}'),
    ],
    ['where an administrator is', () => localStorage.setItem(storageKeys.admin.session, '{}')],
    ['of who asks not to be tracked', () => stand(navigator, 'doNotTrack', '1')],
    ['of who has privacy control on', () => stand(navigator, 'globalPrivacyControl', true)],
  ])('%s', async (_whose, set) => {
    set()
    const visits = createVisits('PHARM-0001')
    look()
    visits.opened(OFFER)
    visits.whatsApp([OFFER])
    visits.call()
    expect(await sent()).toEqual([])
    expect(sessionStorage.length).toBe(0)
  })

  test('but it is where somebody has left', async () => {
    localStorage.setItem(storageKeys.pharmacy.signedOut, 'a session')
    look()
    expect(await kinds()).toEqual(['view'])
  })
})
