import { checkOfferPrice, createOffer, type OfferRecord } from '@bancone/contract/offers'
import {
  type Category,
  listProductCategories,
  ProductCategory,
} from '@bancone/contract/product-categories'
import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { offer, offersServer } from './offers.ts'
import { renderApp } from './render-app.tsx'
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

/** At once: what is said of it while it is typed is for other tests. */
export async function write(user: UserEvent, name: string, text: string) {
  await user.clear(field(name))
  await user.click(field(name))
  await user.paste(text)
}

export async function openForm(api: StubApi, address = '/offers?offerta=nuova') {
  const view = renderApp(address, api)
  await screen.findByRole('textbox', { name: 'Nome del prodotto' })
  await screen.findByRole('option', { name: 'Cosmetici' })
  return { ...view, api }
}

/** All that an offer needs, with the placeholder for a picture. */
export async function fillIn(user: UserEvent, name = 'Crema viso') {
  await write(user, 'Nome del prodotto', name)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Categoria' }), 'Cosmetici')
  await write(user, 'Prezzo di listino (€)', '9,90')
  await write(user, 'Prezzo in offerta (€)', '7.90')
  await user.click(button('Usa il segnaposto'))
}

/** What of an offer a form writes: whose it is, the server knows. */
export function writtenFields({ fields }: OfferRecord) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'Farmacia_ID'))
}
