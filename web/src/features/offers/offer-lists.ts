import type { Day } from '@bancone/contract/dates'
import { parseMinsan } from '@bancone/contract/minsan'
import { shownPrice } from '@bancone/contract/offer-prices'
import { type OfferRecord, type OfferState, offerState } from '@bancone/contract/offers'
import { searchable } from '../../lib/searchable.ts'
import type { OfferSorting, OffersAddress, OfferTab } from './offers-address.ts'

/** `refused`: it is switched on, but must not be published. */
export type ListedState = OfferState | 'refused'

export function stateOf({ fields, refusal }: OfferRecord, today: Day): ListedState {
  const state = offerState(fields, today)
  return refusal !== null && (state === 'active' || state === 'scheduled') ? 'refused' : state
}

/** Number of offers that count towards the limit: switched on, and published now or later, or refused. */
export function countLimited(offers: readonly OfferRecord[], today: Day): number {
  return offers.filter(({ fields }) => ['active', 'scheduled'].includes(offerState(fields, today)))
    .length
}

/** Counts of the tabs: 'Attive' and 'Inattive' go by the stored status alone. */
export function countTabs(offers: readonly OfferRecord[], today: Day): Record<OfferTab, number> {
  const on = offers.filter(({ fields }) => fields.Stato_Offerta === 'Attiva').length
  return {
    tutte: offers.length,
    attive: on,
    inattive: offers.length - on,
    archivio: offers.filter((offer) => stateOf(offer, today) === 'expired').length,
  }
}

/** Active offers, and those that customers do not see, by the reason. */
export type StateCounts = Readonly<{
  on: number
  scheduled: number
  expired: number
  refused: number
}>

/** The switched-on offers, by why customers do not see them. */
export function countStates(offers: readonly OfferRecord[], today: Day): StateCounts {
  const on = offers.filter(({ fields }) => fields.Stato_Offerta === 'Attiva')
  const count = (state: ListedState) => on.filter((each) => stateOf(each, today) === state).length
  return {
    on: on.length,
    scheduled: count('scheduled'),
    expired: count('expired'),
    refused: count('refused'),
  }
}

const inTab: Record<OfferTab, (offer: OfferRecord, today: Day) => boolean> = {
  tutte: () => true,
  attive: (offer, today) => stateOf(offer, today) === 'active',
  inattive: ({ fields }) => fields.Stato_Offerta === 'Inattiva',
  archivio: (offer, today) => stateOf(offer, today) === 'expired',
}

/** All words must match; a code also matches in its printed and scanned forms. */
function matcher(text: string): (offer: OfferRecord) => boolean {
  const words = searchable(text).split(/\s+/).filter(Boolean)
  const code = parseMinsan(text)?.code
  return ({ fields }) => {
    if (code !== undefined && fields.Codice_Minsan === code) return true
    const held = searchable(
      `${fields.Nome_Prodotto} ${fields.Codice_Minsan ?? ''} ${fields.Categoria}`,
    )
    return words.every((word) => held.includes(word))
  }
}

type Compare = (one: OfferRecord, other: OfferRecord) => number

export function priceShown({ fields, prior }: OfferRecord) {
  return shownPrice(fields.Prezzo_Listino, fields.Prezzo_Offerta, prior)
}

const byName: Compare = (one, other) =>
  one.fields.Nome_Prodotto.localeCompare(other.fields.Nome_Prodotto, 'it')
const byPrice: Compare = (one, other) => one.fields.Prezzo_Offerta - other.fields.Prezzo_Offerta
/** Offers without an end come last. */
const byEnd: Compare = (one, other) =>
  (one.fields.Data_Fine ?? '9').localeCompare(other.fields.Data_Fine ?? '9')

const comparers: Record<Exclude<OfferSorting, 'recenti'>, Compare> = {
  nome: byName,
  'nome-za': (one, other) => byName(other, one),
  prezzo: (one, other) => byPrice(one, other) || byName(one, other),
  'prezzo-alto': (one, other) => byPrice(other, one) || byName(one, other),
  sconto: (one, other) => priceShown(other).percent - priceShown(one).percent || byName(one, other),
  scadenza: (one, other) => byEnd(one, other) || byName(one, other),
}

/** The filtered and sorted offers. @param offers newest first */
export function listedOffers(
  offers: readonly OfferRecord[],
  { stato, q, ordina }: Pick<OffersAddress, 'stato' | 'q' | 'ordina'>,
  today: Day,
): OfferRecord[] {
  const matches = matcher(q)
  const found = offers.filter((offer) => inTab[stato](offer, today) && matches(offer))
  return ordina === 'recenti' ? found : found.sort(comparers[ordina])
}
