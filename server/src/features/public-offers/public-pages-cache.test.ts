import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { plainRenderer } from '../../../test/public-pages-server.ts'
import { shownOffers } from '../../../test/shown-offers.ts'
import { createOffersCache } from './offers-cache.ts'
import { noOffers, parsePageUrl } from './public-offers.rules.ts'
import { createPublicPages } from './public-pages.ts'

const SECOND = 1_000
const MOST = 200_000

/** Pages over offers that a test has in its hands. */
function world() {
  const state = {
    now: Date.parse('2026-11-22T12:00:00Z'),
    disconnectedMs: 0,
    name: 'Farmacia',
    isAway: false,
    isThere: true,
    /** How the pharmacies write their codes. */
    written: (code: string) => code,
    meanwhile: async () => {},
    reads: 0,
    warnings: 0,
  }
  const clock = { now: () => state.now }
  const offersCache = createOffersCache({
    async read(code) {
      state.reads += 1
      if (state.isAway) throw new Error('away')
      const own = state.written(code)
      const content = state.isThere
        ? contentOf(own, state.name)
        : noOffers('2026-11-22', 'Farmacia non trovata', null)
      await state.meanwhile()
      return { content, pharmacyId: content.pharmacy && `id of ${own}` }
    },
    disconnectedMs: () => state.disconnectedMs,
    clock,
  })
  const renderer = plainRenderer()
  const log = {
    warn() {
      state.warnings += 1
    },
  }
  const publicUrl = 'https://bancone.example.it'
  const maxBytes = MOST
  const pages = createPublicPages({ offersCache, renderer, publicUrl, log, maxBytes })
  return {
    state,
    offersCache,
    renderer,
    cached: (url: string) => pages.cached(requestOf(url)),
    open: async (url: string) => pages.cached(requestOf(url)) ?? pages.load(requestOf(url)),
  }
}

function requestOf(url: string) {
  const asked = parsePageUrl(url)
  if (!asked) throw new Error(`${url} is no page`)
  return asked
}

const contentOf = (code: string, name: string) => ({
  ...shownOffers([], { name, pharmacy_id: code }),
  day: '2026-11-22',
})

/** Something to wait for, until it is let go. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

let here: ReturnType<typeof world>
beforeEach(() => {
  here = world()
})

describe('what has changed without being shown', () => {
  it('costs one reading, and no new page', async () => {
    const first = await here.open('/offers/A')
    here.offersCache.invalidate()
    expect(here.cached('/offers/A')).toBeUndefined()
    expect(await here.open('/offers/A')).toEqual(first)
    expect(await here.open('/offers/A')).toEqual(first)
    expect([here.state.reads, here.renderer.drawn.length]).toEqual([2, 1])
  })

  it('is not found by another page of the pharmacy either', async () => {
    await here.open('/offers/A')
    await here.open('/offers/A?tipo=offers')
    await here.offersCache.revalidate('A')
    expect(here.cached('/offers/A')).toBeDefined()
    expect(here.cached('/offers/A?tipo=offers')).toBeDefined()
  })

  it('of another pharmacy costs nothing', async () => {
    await here.open('/offers/A')
    here.offersCache.invalidate('id of B')
    expect(here.cached('/offers/A')).toBeDefined()
  })
})

describe('what changes while it is read', () => {
  it('is not shown to requests that come after that', async () => {
    const reading = gate()
    here.state.meanwhile = () => reading.opened
    const before = [here.open('/offers/A'), here.open('/offers/A')]
    here.state.name = 'Altra'
    here.state.meanwhile = async () => {}
    here.offersCache.invalidate('id of A')
    await here.open('/offers/A')
    reading.open()
    const page = here.cached('/offers/A')
    expect(await Promise.all(before)).toEqual([page, page])
    expect(await here.open('/offers/A')).toEqual(page)
    expect(here.renderer.drawn.map(({ content }) => content?.pharmacy?.name)).toEqual(['Altra'])
  })

  it('is not stored for an unknown code', async () => {
    here.state.isThere = false
    const reading = gate()
    here.state.meanwhile = () => reading.opened
    const before = here.open('/offers/A')
    here.offersCache.invalidate('id of A')
    here.state.isThere = true
    here.state.meanwhile = async () => {}
    reading.open()
    expect(await before).toMatchObject({ status: 404 })
    expect(await here.open('/offers/A')).toMatchObject({ status: 200 })
  })
})

describe('while nothing is heard of changes', () => {
  it('a page is believed for ten seconds, and then looked at again', async () => {
    await here.open('/offers/A')
    here.state.now += 3_600 * SECOND
    here.state.disconnectedMs = 9 * SECOND
    expect(here.cached('/offers/A')).toBeDefined()
    here.state.disconnectedMs = 10 * SECOND
    expect(here.cached('/offers/A')).toBeUndefined()
    await here.open('/offers/A')
    here.state.now += 9 * SECOND
    expect(here.cached('/offers/A')).toBeDefined()
    here.state.now += SECOND
    expect(here.cached('/offers/A')).toBeUndefined()
    expect([here.state.reads, here.renderer.drawn.length]).toEqual([2, 1])
  })

  it('a page that cannot be read is shown as it was, for five minutes', async () => {
    const first = await here.open('/offers/A')
    here.state.isAway = true
    here.state.disconnectedMs = 60 * SECOND
    here.state.now += 60 * SECOND
    expect(await here.open('/offers/A')).toEqual(first)
    expect([here.state.reads, here.state.warnings]).toEqual([2, 1])
    // Not asked for by each.
    expect(await here.open('/offers/A')).toEqual(first)
    expect(here.state.reads).toBe(2)
    here.state.now += 2 * SECOND
    expect(await here.open('/offers/A')).toEqual(first)
    expect(here.state.reads).toBe(3)
    here.state.now += 300 * SECOND
    here.state.disconnectedMs = 301 * SECOND
    await expect(here.open('/offers/A')).rejects.toThrow('away')
  })

  it('one that is not in memory is not', async () => {
    await here.open('/offers/A')
    here.state.isAway = true
    here.state.disconnectedMs = 60 * SECOND
    here.state.now += 60 * SECOND
    await expect(here.open('/offers/A?tipo=offers')).rejects.toThrow('away')
    await expect(here.open('/offers/B')).rejects.toThrow('away')
  })

  it('nor what is of yesterday', async () => {
    await here.open('/offers/A')
    here.state.isAway = true
    here.state.disconnectedMs = 60 * SECOND
    here.state.now = Date.parse('2026-11-22T23:00:00Z')
    await expect(here.open('/offers/A')).rejects.toThrow('away')
  })
})

describe('what is known to have changed', () => {
  it('is not shown as it was, even if it cannot be read', async () => {
    await here.open('/offers/A')
    here.offersCache.invalidate('id of A')
    here.state.isAway = true
    await expect(here.open('/offers/A')).rejects.toThrow('away')
    here.state.isAway = false
    expect(await here.open('/offers/A')).toMatchObject({ status: 200 })
  })
})

describe('what is remembered', () => {
  it('is only so much: what was asked for longest ago is forgotten', async () => {
    // Text that does not become smaller: each page is some 8 kB.
    const paths = Array.from({ length: 60 }, (_, n) => `/offers/A${n}`)
    for (const path of paths) {
      here.state.name = randomBytes(2_000).toString('hex')
      await here.open(path)
    }
    const kept = paths.filter((path) => here.cached(path))
    expect(kept.length).toBeGreaterThan(10)
    expect(kept).toEqual(paths.slice(-kept.length))
    const bytes = kept
      .map((path) => here.cached(path))
      .reduce(
        (sum, page) => sum + (page && 'br' in page ? page.br.length + page.gzip.length : 0),
        0,
      )
    expect(bytes).toBeLessThan(MOST)
    expect(kept.length).toBeLessThan(paths.length)
  })

  it('of a pharmacy that is forgotten, no page is shown of which no news would be heard', async () => {
    await here.open('/offers/A')
    for (let n = 0; n < 2_000; n++) await here.offersCache.revalidate(`B${n}`)
    expect(here.cached('/offers/A')).toBeUndefined()
    here.state.name = 'Altra'
    const found = await here.open('/offers/A')
    expect(found).toMatchObject({ status: 200 })
    expect(here.renderer.drawn.at(-1)?.content?.pharmacy?.name).toBe('Altra')
  })

  it('of a pharmacy is one, however many spellings of its code are made up', async () => {
    here.state.written = (code) => code.trim().replaceAll('ſ', 's').toUpperCase()
    await here.open('/offers/BEFORE')
    const letters = 'pharmacies of abc'.split('')
    for (let n = 0; n < 3_000; n++) {
      const spelling = letters.map((letter, bit) =>
        n & (1 << bit) ? letter.toUpperCase() : letter,
      )
      const odd = n % 2 === 0 ? spelling.join('') : spelling.join('').replaceAll(/s/gi, 'ſ')
      expect(await here.open(`/offers/${encodeURIComponent(odd)}`)).toEqual({
        movedTo: '/offers/PHARMACIES%20OF%20ABC',
      })
    }
    expect(here.cached('/offers/BEFORE')).toBeDefined()
    // But for those that are one only to the database.
    expect(here.state.reads).toBe(1 + 1 + 1_500)
  })
})

describe('pages that are made up', () => {
  it('wait for those that links lead to, and no more than some', async () => {
    const reading = gate()
    here.renderer.first(() => reading.opened)
    const made = Array.from({ length: 150 }, (_, n) => here.open(`/offers/A${n}?tipo=offers`))
    await setImmediate()
    const meant = here.open('/offers/B')
    await setImmediate()
    reading.open()
    expect(await meant).toMatchObject({ status: 200 })
    const statuses = (await Promise.all(made)).map((found) => 'status' in found && found.status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(150 - 2 - 100)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2 + 100)
    const order = here.renderer.drawn.flatMap(({ content }) => content?.pharmacy?.pharmacy_id ?? [])
    expect(order.slice(0, 3)).toEqual(['A0', 'A1', 'B'])
  })
})
