import { findMedicine } from '@bancone/contract/medicines'
import {
  checkOfferPrice,
  createOffer,
  type OfferRecord,
  type PriceCheck,
} from '@bancone/contract/offers'
import {
  type Category,
  listProductCategories,
  ProductCategory,
} from '@bancone/contract/product-categories'
import { fireEvent, screen } from '@testing-library/react'
import { fill } from './fill.ts'
import { offer, offersServer } from './offers.ts'
import { renderOffers } from './render-page.tsx'
import type { StubApi } from './stub-api.ts'

const categories = ProductCategory.options.map(
  (name, at): Category => ({
    id: `0f0c6a0e-7a54-4b0a-9c39-00000000000${at}`,
    name,
    regulatoryClass: name === 'Farmaci da banco' ? 'medicinale_otc_sop' : 'libero',
  }),
)

/** A price check that warns of nothing, and knows no prior price. */
export const usualPrices: PriceCheck = { prior: null, raisedFrom: null, otherPrice: null }

/** A stub with these offers, which can create offers and knows no price history. */
export function formServer(held: OfferRecord[] = []): StubApi {
  return offersServer(held)
    .on(listProductCategories, () => ({ categories }))
    .on(findMedicine, () => ({ medicine: null, registerTime: '2026-03-10T03:07:00.000Z' }))
    .on(checkOfferPrice, ({ body: { fields } }) => {
      const { Prezzo_Precedente: cents, Prezzo_Listino: list, Prezzo_Offerta: price } = fields
      const isKnown = cents !== null && cents !== undefined && price < list
      return { ...usualPrices, prior: isKnown ? { cents, declared: true } : null }
    })
    .on(createOffer, ({ body: { fields } }) => {
      const { Data_Fine, Data_Inizio, Farmacia_ID, ...others } = fields
      const made = offer(100 + held.length, {
        ...others,
        ...(Data_Inizio && { Data_Inizio }),
        ...(Data_Fine && { Data_Fine }),
        ...(Farmacia_ID && { Farmacia_ID }),
      })
      held.unshift(made)
      return made
    })
}

/** The bodies of the matching requests, in order. */
export function sent(api: StubApi, method: string, path = '/api/offers'): unknown[] {
  return api.requests
    .filter((request) => request.method === method && request.path === path)
    .map(({ body }) => body)
}

export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
export const button = (name: string | RegExp) => screen.getByRole('button', { name })

export function write(name: string, text: string) {
  fill(field(name), text)
}

/** Opens the offer form above the list; renders the whole application or the page alone. */
export async function openForm(
  api: StubApi,
  address = '/offers?offerta=nuova',
  render = renderOffers,
) {
  const view = render(address, api)
  await screen.findByRole('textbox', { name: 'Nome del prodotto' })
  await screen.findByRole('option', { name: 'Cosmetici' })
  return { ...view, api }
}

export function chooseCategory(name: string) {
  fireEvent.change(screen.getByRole('combobox', { name: 'Categoria' }), { target: { value: name } })
}

/** Fills in all required fields, with the placeholder as picture. */
export function fillIn(name = 'Crema viso') {
  write('Nome del prodotto', name)
  chooseCategory('Cosmetici')
  write('Prezzo di listino (€)', '9,90')
  write('Prezzo in offerta (€)', '7.90')
  fireEvent.click(button('Usa il segnaposto'))
}

/** The fields of an offer that a form sends: all but the pharmacy. */
export function writtenFields({ fields }: OfferRecord) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'Farmacia_ID'))
}
