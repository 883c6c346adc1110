import { PublicOffers } from '@bancone/contract/public-offers'
import { describe, expect, it } from 'vitest'
import { publicOffer, shown } from '../../../test/public-shop.tsx'
import { isPublicOffers } from './read-offers.ts'

const full = shown([
  publicOffer(1, { Data_Fine: '2026-12-31' }, { imageSize: { width: 1, height: 2 } }),
  publicOffer(2, {}, { prior: null, medicine: true }),
])

type Path = (string | number)[]

/** Every value in it, by the way that leads to it. */
function ways(value: unknown, way: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [way]
  return [way, ...Object.entries(value).flatMap(([key, inner]) => ways(inner, [...way, key]))]
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value)
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

/** What the page does without. */
const UNREAD = /createdTime|Data_Inizio|Stato_Offerta|max_offers|pharmacy\.error/

describe('the offers that are read', () => {
  it.each([
    ['many', full],
    ['none', shown([])],
    ['of no pharmacy', shown([], { pharmacy: null, error: 'Farmacia non trovata' })],
  ])('may be %s', (_what, offers) => {
    expect(PublicOffers.safeParse(offers).success).toBe(true)
    expect(isPublicOffers(offers)).toBe(true)
  })

  it.each(
    ways(full)
      .map((way) => way.join('.'))
      .filter((way) => !UNREAD.test(way)),
  )('are none where %s is something else, as the contract has it', (way) => {
    const path = way === '' ? [] : way.split('.')
    const others = [Symbol('other'), undefined].map((other) => replaced(full, path, other))
    // What may be left out may.
    const wrong = others.filter((other) => !PublicOffers.safeParse(other).success)
    expect(wrong.length).toBeGreaterThan(0)
    expect(wrong.filter(isPublicOffers)).toEqual([])
  })
})
