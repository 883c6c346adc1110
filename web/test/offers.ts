import {
  arrangeOffers,
  changeOffer,
  listOffers,
  type OfferFields,
  type OfferRecord,
  offerState,
  PLACEHOLDER_IMAGE,
  removeOffer,
} from '@bancone/contract/offers'
import { getOwnPharmacy, type OwnPharmacy } from '@bancone/contract/pharmacies'
import { pharmacy } from './fixtures.ts'
import { serverWith } from './render-app.tsx'
import { failure, type StubApi } from './stub-api.ts'

/** The current day of the stub. */
export const offersToday = '2026-03-10'

/**
 * The n-th offer; a higher n is newer. 10 % off, valid from the first of March without an end. Where it is reduced, its
 * prior price is the list price.
 */
export function offer(n: number, fields: Partial<OfferFields> = {}): OfferRecord {
  const { Prezzo_Listino: list = 1_000, Prezzo_Offerta: price = 900 } = fields
  const isReduced = price < list
  const created = new Date(Date.UTC(2026, 2, 1, 8, n)).toISOString()
  return {
    id: `0f0c6a0e-7a54-4b0a-9c39-6a5c0f6b${String(n).padStart(4, '0')}`,
    createdTime: created,
    updatedTime: created,
    fields: {
      Nome_Prodotto: `Prodotto ${n}`,
      Descrizione: '',
      Categoria: 'Cosmetici',
      Codice_Minsan: null,
      Prezzo_Listino: 1_000,
      Prezzo_Offerta: 900,
      Prezzo_Precedente: null,
      Data_Inizio: '2026-03-01',
      Stato_Offerta: 'Attiva',
      URL_Immagine: PLACEHOLDER_IMAGE,
      CloudinaryID: null,
      Farmacia_ID: pharmacy.pharmacyCode,
      ...fields,
    },
    prior: isReduced ? { cents: list, declared: false } : null,
    medicine: false,
    refusal: null,
    position: null,
  }
}

/** The pharmacy with the offers feature. */
export const withOffers: OwnPharmacy = { ...pharmacy, features: ['offers'] }

/** A stub that holds these offers, newest first, and applies changes to them. */
export function offersServer(held: OfferRecord[], most: number | null = 10): StubApi {
  function change(id: string, next: (before: OfferRecord) => OfferRecord) {
    const at = held.findIndex((each) => each.id === id)
    const before = held[at]
    if (!before) return failure('offers.not_found')
    const after = next(before)
    held[at] = after
    return after
  }
  return serverWith([])
    .on(getOwnPharmacy, () => withOffers)
    .on(listOffers, () => ({
      offers: held,
      limit: {
        active: held.filter(({ fields }) => {
          return ['active', 'scheduled'].includes(offerState(fields, offersToday))
        }).length,
        most,
      },
      today: offersToday,
    }))
    .on(changeOffer, ({ params, body }) =>
      change(params.offerId, (before) => {
        const { Stato_Offerta = before.fields.Stato_Offerta } = body.fields
        return { ...before, fields: { ...before.fields, Stato_Offerta } }
      }),
    )
    .on(removeOffer, ({ params }) => {
      const at = held.findIndex(({ id }) => id === params.offerId)
      if (at === -1) return failure('offers.not_found')
      held.splice(at, 1)
      return {}
    })
    .on(arrangeOffers, ({ body: { offerIds } }) => {
      for (const { id } of held) {
        const place = offerIds.indexOf(id)
        change(id, (before) => ({ ...before, position: place === -1 ? null : place }))
      }
      return {}
    })
}
