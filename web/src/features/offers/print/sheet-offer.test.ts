import type { OfferFields, OfferRecord } from '@bancone/contract/offers'
import { describe, expect, it } from 'vitest'
import { offer, offersToday } from '../../../../test/offers.ts'
import { chosenAtFirst, printable, sheetOffer } from './sheet-offer.ts'

function sheet(fields: Partial<OfferFields>, more: Partial<OfferRecord> = {}) {
  const made = sheetOffer({ ...offer(1, fields), ...more }, offersToday)
  return { ...made, prior: made.prior?.replaceAll('\u00a0', ' ') ?? null }
}

describe('an offer on paper', () => {
  it('has the prices that customers see, and the lowest of the 30 days before', () => {
    const prior = { cents: 950, declared: false }
    expect(sheet({}, { prior })).toMatchObject({
      name: 'Prodotto 1',
      photo: null,
      price: '9,00\u00a0€',
      before: '9,50\u00a0€',
      badge: '-5%',
      prior: 'Prezzo più basso degli ultimi 30 giorni: 9,50 €',
      validity: null,
    })
  })

  it('is in evidence where nothing is reduced', () => {
    const featured = { badge: 'In Evidenza', before: null, prior: null }
    expect(sheet({ Prezzo_Offerta: 1_000 })).toMatchObject(featured)
    const prior = { cents: 900, declared: false }
    expect(sheet({}, { prior })).toMatchObject(featured)
  })

  it('has no badge where hardly anything is saved', () => {
    expect(sheet({ Prezzo_Listino: 10_000, Prezzo_Offerta: 9_999 })).toMatchObject({
      badge: null,
      before: '100,00\u00a0€',
    })
  })

  it.each<[Partial<OfferFields>, string | null]>([
    [{}, null],
    [{ Data_Fine: '2026-03-31' }, 'Fino al 31/03/2026'],
    [{ Data_Inizio: '2026-03-20' }, 'Dal 20/03/2026'],
    [{ Data_Inizio: '2026-03-20', Data_Fine: '2026-04-20' }, 'Dal 20/03/2026 al 20/04/2026'],
  ])('with %o is valid: %s', (fields, validity) => {
    expect(sheet(fields).validity).toBe(validity)
  })
})

const expired = offer(1, { Data_Fine: '2026-03-01' })
const off = offer(2, { Stato_Offerta: 'Inattiva' })
const later = offer(3, { Data_Inizio: '2026-03-20' })
const shown = offer(4)
const all = [expired, off, later, shown]
const none = new Set<string>()

describe('what is printed', () => {
  const ids = (offers: readonly OfferRecord[]) => offers.map(({ id }) => id)

  it('can be all but what has expired, unless that was asked for', () => {
    expect(ids(printable(all, none, offersToday)).toSorted()).toEqual(ids([off, later, shown]))
    expect(printable(all, new Set([expired.id]), offersToday)).toContain(expired)
  })

  it('is nothing that must not be published, asked for or not', () => {
    const refused: OfferRecord = { ...shown, refusal: 'offers.code_missing' }
    expect(printable([refused, off], new Set([refused.id]), offersToday)).toEqual([off])
  })

  it('is at first what was asked for, or else what customers see', () => {
    const first = (asked: ReadonlySet<string>) => [...chosenAtFirst(all, asked, offersToday)]
    expect(first(none)).toEqual([shown.id])
    expect(first(new Set([off.id, expired.id]))).toEqual([expired.id, off.id])
    expect(first(new Set(['nessuna']))).toEqual([shown.id])
  })

  it('is in the order of the pharmacy, then by discount and name', () => {
    const cheap = offer(5, { Prezzo_Offerta: 500 })
    const named = offer(6, { Nome_Prodotto: 'Aspirina' })
    const placed = (n: number, position: number) => ({ ...offer(n), position })
    const [second, first] = [placed(7, 1), placed(8, 0)]
    const sorted = printable([shown, second, named, cheap, first], none, offersToday)
    expect(ids(sorted)).toEqual(ids([first, second, cheap, named, shown]))
  })
})
