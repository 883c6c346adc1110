import { checkOfferPrice, createOffer, type OfferRecord } from '@bancone/contract/offers'
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

/** A server that has these offers, makes others, and knows nothing of the prices before. */
export function formServer(held: OfferRecord[] = []): StubApi {
  return offersServer(held)
    .on(listProductCategories, () => ({ categories }))
    .on(checkOfferPrice, ({ body: { fields } }) => {
      const { Prezzo_Precedente: declared, Prezzo_Listino: list } = fields
      return { prior: { cents: declared ?? list, since: null, declared: true } }
    })
    .on(createOffer, ({ body: { fields } }) => {
      const { Data_Fine, Data_Inizio, ...others } = fields
      const made = offer(100 + held.length, {
        ...others,
        ...(Data_Inizio && { Data_Inizio }),
        ...(Data_Fine && { Data_Fine }),
      })
      held.unshift(made)
      return made
    })
}

/** The bodies of what was sent there, in their order. */
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

/** The form of an offer above the list, in the whole application or without its frame. */
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

/** All that an offer needs, with the placeholder for a picture. */
export function fillIn(name = 'Crema viso') {
  write('Nome del prodotto', name)
  chooseCategory('Cosmetici')
  write('Prezzo di listino (€)', '9,90')
  write('Prezzo in offerta (€)', '7.90')
  fireEvent.click(button('Usa il segnaposto'))
}

/** What of an offer a form writes: whose it is, the server knows. */
export function writtenFields({ fields }: OfferRecord) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'Farmacia_ID'))
}
