import { describe, expect, it } from 'vitest'
import {
  loadOf,
  perBase,
  perPharmacy,
  type ReadPharmacies,
  USER_LIMIT,
} from './airtable-load.rules.ts'

const none: ReadPharmacies = {
  pharmacies: 0,
  reported: 0,
  activeReported: 0,
  reportedSquares: 0,
  activeReportedSquares: 0,
  watched: 0,
  background: 0,
  records: 0,
}

describe('the load of a token', () => {
  it.each<[string, Partial<ReadPharmacies>, ReturnType<typeof loadOf>]>([
    [
      'no pharmacies',
      {},
      { requestsNow: 0, requestsAtPeak: 0, limit: 2160, more: { polled: 506, reported: 2400 } },
    ],
    [
      '100 polled at night, none on a screen and ten with a device',
      { pharmacies: 100, background: 10 },
      {
        requestsNow: 12.7,
        requestsAtPeak: 426.7,
        limit: 2160,
        more: { polled: 406, reported: 1925 },
      },
    ],
    [
      '100 polled by day, all on a screen',
      { pharmacies: 100, watched: 100 },
      {
        requestsNow: 426.7,
        requestsAtPeak: 426.7,
        limit: 2160,
        more: { polled: 406, reported: 1925 },
      },
    ],
    [
      '100 reported by day, all on a screen, each with a base of its own',
      {
        pharmacies: 100,
        reported: 100,
        activeReported: 100,
        reportedSquares: 100,
        activeReportedSquares: 100,
      },
      { requestsNow: 90, requestsAtPeak: 90, limit: 2160, more: { polled: 485, reported: 2300 } },
    ],
    [
      '100 reported in five bases, ten of each on a screen',
      {
        pharmacies: 100,
        reported: 100,
        activeReported: 50,
        reportedSquares: 5 * 20 ** 2,
        activeReportedSquares: 5 * 10 ** 2,
      },
      { requestsNow: 135, requestsAtPeak: 470, limit: 2160, more: { polled: 396, reported: 1877 } },
    ],
    [
      'large tables, which are swept',
      { pharmacies: 10, records: 360_000 },
      { requestsNow: 10, requestsAtPeak: 52.7, limit: 2160, more: { polled: 493, reported: 2341 } },
    ],
    [
      'more than it can carry',
      { pharmacies: 600, watched: 300 },
      { requestsNow: 1280, requestsAtPeak: 2560, limit: 2160, more: { polled: 0, reported: 0 } },
    ],
  ])('with %s', (_, read, expected) => {
    expect(loadOf({ ...none, ...read })).toEqual(expected)
  })

  it('reaches its limit with as many pharmacies as it says', () => {
    const { more } = loadOf(none)
    const at = (pharmacies: number, reported: number) =>
      loadOf({ ...none, pharmacies, reported, reportedSquares: reported }).requestsAtPeak
    expect(at(more.polled, 0)).toBeLessThanOrEqual(USER_LIMIT)
    expect(at(more.polled + 1, 0)).toBeGreaterThan(USER_LIMIT)
    expect(at(more.reported, more.reported)).toBeLessThanOrEqual(USER_LIMIT)
    expect(at(more.reported + 1, more.reported + 1)).toBeGreaterThan(USER_LIMIT)
  })

  it('allows several times the pharmacies with webhooks, and a base carries fewer than a token', () => {
    expect(perPharmacy.reported).toBeLessThan(perPharmacy.polled / 4)
    // Each change makes all pharmacies of a base be read: 28 pharmacies have 5.6 changes a minute.
    expect(perBase).toEqual({ polled: 42, reported: 28 })
  })
})
