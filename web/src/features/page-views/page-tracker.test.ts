import { ORDER_CODE } from '@bancone/contract/order-codes'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { storageKeys } from '../../lib/storage-keys.ts'
import { createPageTracker, takeLinkTag } from './page-tracker.ts'

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
  stand(document, 'hidden', false)
  for (const name of ['doNotTrack', 'globalPrivacyControl']) stand(navigator, name, undefined)
  stand(document, 'referrer', '')
})

/** What jsdom does not have, or does not let a test change. */
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
    expect([path, type]).toEqual(['/api/public/page-events', 'application/json'])
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  })
}

const textOf = async (body: Blob) => new TextDecoder().decode(await body.arrayBuffer())

/** The page is visible, until the end of the test. */
function look(tracker = createPageTracker('PHARM-0001', null)): () => void {
  const end = tracker.view()
  onTestFinished(end)
  return end
}

const kinds = async () => (await sent()).map(({ kind }) => kind)

function become(visibility: 'visible' | 'hidden') {
  stand(document, 'visibilityState', visibility)
  stand(document, 'hidden', visibility === 'hidden')
  document.dispatchEvent(new Event('visibilitychange'))
}

const handleCallback = (persisted: boolean) =>
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))

const nothingIsStored = () => [localStorage.length, sessionStorage.length, document.cookie]

describe('a page', () => {
  test('that is seen is told, with where the visitor came from and no more of that', async () => {
    stand(document, 'referrer', 'https://example.it/cerca?q=antabuse#uno')
    look(createPageTracker('PHARM-0001', 'volantino'))
    expect(await sent()).toEqual([
      {
        pharmacyCode: 'PHARM-0001',
        kind: 'view',
        referrer: 'https://example.it/cerca',
        tag: 'volantino',
      },
    ])
    expect(nothingIsStored()).toEqual([0, 0, ''])
  })

  test('that was opened in the background is told when it is seen, once', async () => {
    become('hidden')
    look()
    expect(await kinds()).toEqual([])
    become('visible')
    expect(await kinds()).toEqual(['view'])
    become('hidden')
    become('visible')
    expect(beacons).toEqual([])
  })

  test('is told again when the browser brings it back as it was, after 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const end = look()
    vi.advanceTimersByTime(29_999)
    handleCallback(true)
    expect(await kinds()).toEqual(['view'])
    vi.advanceTimersByTime(1)
    handleCallback(false)
    expect(await kinds()).toEqual([])
    handleCallback(true)
    expect(await kinds()).toEqual(['view'])
    vi.advanceTimersByTime(30_000)
    end()
    handleCallback(true)
    expect(await kinds()).toEqual([])
  })
})

describe('the tag of a link', () => {
  test.each([
    ['?da=volantino', 'volantino', ''],
    ['?tipo=offers&da=link&ordine=nameAsc', 'link', '?tipo=offers&ordine=nameAsc'],
    ['?da=altro', null, ''],
    ['?tipo=offers', null, '?tipo=offers'],
  ])('in %s is %s, and leaves %j in the address', (search, tag, left) => {
    history.replaceState({ opened: 'list' }, '', `/offers/PHARM-0001${search}`)
    onTestFinished(() => history.replaceState(null, '', '/'))
    expect(takeLinkTag()).toBe(tag)
    expect(location.search).toBe(left)
    expect(history.state).toEqual({ opened: 'list' })
  })
})

describe('what is done on the page', () => {
  test('is told with its offers', async () => {
    const tracker = createPageTracker('PHARM-0001', null)
    tracker.opened(OFFER)
    tracker.whatsApp([OFFER, OTHER_OFFER], 'ABC234')
    tracker.call()
    expect(await sent()).toEqual([
      { pharmacyCode: 'PHARM-0001', kind: 'offer_opened', offerIds: [OFFER] },
      {
        pharmacyCode: 'PHARM-0001',
        kind: 'whatsapp_tapped',
        offerIds: [OFFER, OTHER_OFFER],
        code: 'ABC234',
      },
      { pharmacyCode: 'PHARM-0001', kind: 'call_tapped' },
    ])
  })

  test('is told of an offer that was opened in the background when it is seen', async () => {
    become('hidden')
    createPageTracker('PHARM-0001', null).opened(OFFER)
    expect(await kinds()).toEqual([])
    become('visible')
    become('hidden')
    become('visible')
    expect(await kinds()).toEqual(['offer_opened'])
  })

  test('has another code each time', () => {
    const tracker = createPageTracker('PHARM-0001', null)
    const codes = Array.from({ length: 200 }, () => tracker.orderCode() ?? '')
    expect(codes.filter((code) => !ORDER_CODE.test(code))).toEqual([])
    expect(new Set(codes).size).toBe(200)
  })

  test.each([
    ['takes no more', () => (taken = false)],
    ['has none', () => stand(navigator, 'sendBeacon', undefined)],
  ])('is sent by a call where the beacon %s, and a failure shows no message', async (_, change) => {
    change()
    const asked: [string, RequestInit][] = []
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      asked.push([path, init])
      return Promise.reject(new TypeError('offline'))
    })
    createPageTracker('PHARM-0001', null).call()
    expect(asked).toMatchObject([['/api/public/page-events', { method: 'POST', keepalive: true }]])
    const body = z.instanceof(Blob).parse(asked[0]?.[1].body)
    expect(body.type).toBe('application/json')
    expect(JSON.parse(await textOf(body))).toMatchObject({ kind: 'call_tapped' })
  })
})

describe('nothing is told', () => {
  async function doAll() {
    const tracker = createPageTracker('PHARM-0001', null)
    look(tracker)
    tracker.opened(OFFER)
    tracker.whatsApp([OFFER], null)
    tracker.call()
    expect(tracker.orderCode()).toBeNull()
    expect(nothingIsStored().slice(1)).toEqual([0, ''])
    return sent()
  }

  test.each([
    ['asks not to be tracked', () => stand(navigator, 'doNotTrack', '1')],
    ['has privacy control on', () => stand(navigator, 'globalPrivacyControl', true)],
  ])('of who %s', async (_whose, set) => {
    set()
    localStorage.setItem(storageKeys.pharmacy.session, '{}')
    expect(await doAll()).toEqual([])
  })

  test.each(['pharmacy', 'admin'] as const)(
    'but that staff were here, where a session of the %s is',
    async (area) => {
      localStorage.setItem(storageKeys[area].session, '{}')
      expect(await doAll()).toEqual([{ pharmacyCode: 'PHARM-0001', kind: 'staff' }])
    },
  )

  test('but it is after the visitor has left', async () => {
    localStorage.setItem(storageKeys.pharmacy.signedOut, 'a session')
    look()
    expect(await kinds()).toEqual(['view'])
  })
})
