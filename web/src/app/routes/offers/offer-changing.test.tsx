import { changeOffer, listOffers } from '@bancone/contract/offers'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { focused } from '../../../../test/focused.ts'
import { inactive } from '../../../../test/inactive.ts'
import {
  button,
  chooseCategory,
  field,
  fillIn,
  formServer,
  openForm,
  sent,
  write,
  writtenFields,
} from '../../../../test/offer-form.ts'
import { offer } from '../../../../test/offers.ts'
import { renderApp } from '../../../../test/render-app.tsx'
import { failure } from '../../../../test/stub-api.ts'

const crema = offer(1, { Nome_Prodotto: 'Crema mani', Data_Fine: '2026-04-01' })
const sapone = offer(2, { Nome_Prodotto: 'Sapone', Stato_Offerta: 'Inattiva' })
const addressOf = ({ id }: typeof crema) => `/offers?offerta=${id}`
const path = `/api/offers/${crema.id}`
const held = () => [sapone, crema]

const title = (name: string) => screen.findByRole('heading', { level: 2, name })
const dialog = () => screen.findByRole('dialog', { name: 'Modifiche non salvate' })

/** By the menu that stands beside an offer. */
async function choose(user: UserEvent, name: string, what: string) {
  await user.click(screen.getByRole('button', { name: new RegExp(`Azioni.*${name}`) }))
  await user.click(screen.getByRole('menuitem', { name: what }))
}

test('an offer is changed as a whole, with what was seen of it', async () => {
  const { user, api } = await openForm(formServer(held()), addressOf(crema))
  await title('Modifica offerta')
  expect(field('Nome del prodotto').value).toBe('Crema mani')
  expect(field('Prezzo di listino (€)').value).toBe('10,00')
  write('Prezzo in offerta (€)', '8')
  fireEvent.change(screen.getByLabelText('Data di fine'), { target: { value: '' } })
  await user.click(button('Salva modifiche'))
  expect(await screen.findByText('Offerta aggiornata')).toBeDefined()
  expect(sent(api, 'PATCH', path)).toEqual([
    {
      fields: { ...writtenFields(crema), Prezzo_Offerta: 800, Data_Fine: null },
      seen: crema.updatedTime,
    },
  ])
  await waitFor(() => expect(screen.queryByText('Modifica offerta')).toBeNull())
})

test('changes are given up only after a confirmation, also when another offer is opened', async () => {
  const { user, api } = await openForm(formServer(held()), addressOf(crema))
  const answer = async (name: string) =>
    user.click(within(await dialog()).getByRole('button', { name }))
  write('Nome del prodotto', 'Crema piedi')
  await user.click(button('Annulla'))
  await answer('Continua a modificare')
  expect(field('Nome del prodotto').value).toBe('Crema piedi')
  await choose(user, 'Sapone', 'Modifica')
  await answer('Continua a modificare')
  await waitFor(() => expect(location.search).toContain(crema.id))
  expect(field('Nome del prodotto').value).toBe('Crema piedi')
  await choose(user, 'Sapone', 'Modifica')
  await answer('Lascia senza salvare')
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Sapone'))
  await focused(field('Nome del prodotto'))
  // Without changes there is no question.
  await choose(user, 'Crema mani', 'Modifica')
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema mani'))
  expect(screen.queryByRole('dialog')).toBeNull()
  write('Nome del prodotto', 'Crema piedi')
  await user.click(button('Annulla'))
  await answer('Lascia senza salvare')
  await waitFor(() => expect(screen.queryByText('Modifica offerta')).toBeNull())
  expect(sent(api, 'PATCH', path)).toEqual([])
})

test('changes outlast a reload, and can be thrown away', async () => {
  const api = formServer(held())
  const { unmount } = await openForm(api, addressOf(crema))
  write('Nome del prodotto', 'Crema piedi')
  unmount()
  const again = await openForm(api, addressOf(crema))
  expect(field('Nome del prodotto').value).toBe('Crema piedi')
  expect(screen.getByText('Ci sono ancora le modifiche che non avevi salvato.')).toBeDefined()
  await again.user.click(button('Scarta le modifiche'))
  expect(field('Nome del prodotto').value).toBe('Crema mani')
})

test('after a change by another user, one chooses that one or one’s own', async () => {
  const { user, api } = await openForm(formServer(held()), addressOf(crema))
  const theirs = { ...crema, updatedTime: '2026-03-10T10:00:00.000Z' }
  const listed = { ...theirs, fields: { ...theirs.fields, Nome_Prodotto: 'Crema nuova' } }
  api.on(changeOffer, ({ body }) =>
    body.seen === undefined ? crema : failure('offers.changed_meanwhile'),
  )
  write('Nome del prodotto', 'Crema mia')
  await user.click(button('Salva modifiche'))
  const conflict = await screen.findByRole('dialog', { name: 'Offerta cambiata nel frattempo' })
  api.on(listOffers, () => ({
    offers: [listed],
    limit: { active: 1, most: 10 },
    today: '2026-03-10',
  }))
  await user.click(within(conflict).getByRole('button', { name: 'Ricarica' }))
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema nuova'))
  write('Nome del prodotto', 'Crema di tutti')
  await user.click(button('Salva modifiche'))
  await user.click(await screen.findByRole('button', { name: 'Salva comunque' }))
  expect(await screen.findByText('Offerta aggiornata')).toBeDefined()
  expect(sent(api, 'PATCH', path)[1]).toMatchObject({ seen: theirs.updatedTime })
})

test('one that is gone can be made anew', async () => {
  const api = formServer(held()).on(changeOffer, () => failure('offers.not_found'))
  const { user } = await openForm(api, addressOf(crema))
  write('Nome del prodotto', 'Crema mia')
  await user.click(button('Salva modifiche'))
  await user.click(await screen.findByRole('button', { name: 'Salva come nuova' }))
  await title('Nuova offerta')
  expect(field('Nome del prodotto').value).toBe('Crema mia')
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  expect(sent(api, 'POST')).toMatchObject([{ fields: { Nome_Prodotto: 'Crema mia' } }])
})

test('a copy begins today and has no end; the new offer that was begun waits', async () => {
  const { user, api } = await openForm(formServer(held()))
  write('Nome del prodotto', 'La mia bozza')
  await choose(user, 'Crema mani', 'Duplica')
  await user.click(await screen.findByRole('button', { name: 'Riprendi quella' }))
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('La mia bozza'))
  await choose(user, 'Crema mani', 'Duplica')
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema mani'))
  await title('Nuova offerta')
  write('Nome del prodotto', 'Crema mani e piedi')
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  expect(sent(api, 'POST')).toMatchObject([
    { fields: { Nome_Prodotto: 'Crema mani e piedi', Data_Inizio: '2026-03-10' } },
  ])
  expect(JSON.stringify(sent(api, 'POST'))).not.toContain('Data_Fine')
  expect(field('Nome del prodotto').value).toBe('La mia bozza')
})

test('a new offer outlasts a reload, and can be cleared, with a way back', async () => {
  const api = formServer(held())
  const { unmount } = await openForm(api)
  fillIn()
  unmount()
  const again = await openForm(api)
  expect(field('Prezzo in offerta (€)').value).toBe('7.90')
  await again.user.click(button('Svuota'))
  expect(field('Nome del prodotto').value).toBe('')
  expect(inactive(button('Svuota'))).toBe(true)
  const toast = (await screen.findByText('Modulo svuotato')).closest('li') ?? document.body
  fireEvent.click(within(toast).getByRole('button', { name: 'Annulla' }))
  expect(field('Nome del prodotto').value).toBe('Crema viso')
})

test('the sheet of a product becomes an offer', async () => {
  const api = formServer(held())
  const { user } = renderApp('/product-draft', api)
  await screen.findByRole('heading', { level: 1, name: 'Scheda prodotto' })
  write('Nome del prodotto', 'Olio per il corpo')
  write('Prezzo (€)', '12,50')
  chooseCategory('Cosmetici')
  await user.click(button("Crea un'offerta"))
  await title('Nuova offerta')
  expect(field('Nome del prodotto').value).toBe('Olio per il corpo')
  expect(field('Prezzo di listino (€)').value).toBe('12,50')
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Categoria' }).value).toBe(
    'Cosmetici',
  )
})
