import { arrangeOffers, type OfferRecord } from '@bancone/contract/offers'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { offer, offersServer } from '../../../test/offers.ts'
import { renderOffers } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'

const ROW_PX = 60

/** jsdom lays nothing out: the items of the list are to stand below one another. */
function layOut() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const item = this.closest('ol > li')
    const at = item ? [...(item.parentElement?.children ?? [])].indexOf(item) : -1
    return new DOMRect(0, at === -1 ? 0 : at * ROW_PX, 300, at === -1 ? 600 : ROW_PX)
  })
}

const offers = () => [
  offer(4, { Stato_Offerta: 'Inattiva' }),
  offer(3),
  offer(2, { Prezzo_Offerta: 500 }),
  offer(1, { Data_Inizio: '2026-03-20', Prezzo_Offerta: 1_000 }),
]
const placed = (one: OfferRecord, position: number) => ({ ...one, position })

const items = (sheet: HTMLElement) =>
  within(sheet)
    .getAllByRole('button', { name: /^Sposta Prodotto/ })
    .map((handle) => handle.getAttribute('aria-label')?.replace('Sposta ', ''))
const move = (way: 'su' | 'giù', n: number) =>
  screen.getByRole('button', { name: `Sposta ${way} Prodotto ${n}` })
const save = () => screen.getByRole('button', { name: "Salva l'ordine" })

/** Presses a key on the handle that has the focus. */
async function press(code: string) {
  // It begins to listen to the other keys a moment after it was taken.
  await act(async () => {
    fireEvent.keyDown(document.activeElement ?? document.body, { code, key: code })
    await new Promise((resolve) => setTimeout(resolve, 60))
  })
}

async function open(held = offers()) {
  layOut()
  const api = offersServer(held)
  const view = renderOffers('/offers', api)
  const opener = await screen.findByRole('button', { name: 'Riordina' })
  await waitFor(() => expect(inactive(opener)).toBe(false))
  await view.user.click(opener)
  const sheet = await screen.findByRole('dialog', { name: 'Riordina le offerte' })
  const sent = () => api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { api, held, opener, sheet, sent, ...view }
}

test('the offers that are shown, or will be, stand as customers see them until one is moved', async () => {
  const { user, sheet, sent } = await open()
  expect(items(sheet)).toEqual(['Prodotto 2', 'Prodotto 3', 'Prodotto 1'])
  expect(within(sheet).getByText(/Programmata dal 20\/03\/2026/)).toBeDefined()
  expect(inactive(save())).toBe(true)
  expect(inactive(move('su', 2))).toBe(true)
  await user.click(move('su', 1))
  expect(items(sheet)).toEqual(['Prodotto 2', 'Prodotto 1', 'Prodotto 3'])
  await focused(move('su', 1))
  expect(screen.getByText('«Prodotto 1» è ora al posto 2 di 3.')).toBeDefined()
  await user.click(save())
  expect(await screen.findByText('Ordine salvato')).toBeDefined()
  expect(sent()).toEqual([{ offerIds: [offer(2).id, offer(1).id, offer(3).id] }])
})

test('an offer is taken with the keyboard, moved with the arrows, and what happens is said', async () => {
  const { sheet } = await open()
  screen.getByRole('button', { name: 'Sposta Prodotto 2' }).focus()
  await press('Space')
  expect(await screen.findByText('Hai preso «Prodotto 2», al posto 1 di 3.')).toBeDefined()
  await press('ArrowDown')
  expect(await screen.findByText('«Prodotto 2» è ora al posto 2 di 3.')).toBeDefined()
  await press('Space')
  expect(await screen.findByText('Hai lasciato «Prodotto 2» al posto 2 di 3.')).toBeDefined()
  await waitFor(() => expect(items(sheet)).toEqual(['Prodotto 3', 'Prodotto 2', 'Prodotto 1']))
  expect(inactive(save())).toBe(false)
})

test('Esc gives a drag up, and not the window it happens in', async () => {
  const { sheet } = await open()
  screen.getByRole('button', { name: 'Sposta Prodotto 2' }).focus()
  await press('Space')
  await press('ArrowDown')
  await press('Escape')
  expect(
    await screen.findByText('Spostamento annullato: «Prodotto 2» torna al posto 1 di 3.'),
  ).toBeDefined()
  expect(items(sheet)).toEqual(['Prodotto 2', 'Prodotto 3', 'Prodotto 1'])
  expect(screen.getByRole('dialog', { name: 'Riordina le offerte' })).toBeDefined()
})

test('who leaves with something unsaved is asked, by the cross and by back', async () => {
  const { user, opener, sheet, sent } = await open()
  await user.click(move('giù', 2))
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Continua a ordinare' }))
  expect(items(sheet)).toEqual(['Prodotto 3', 'Prodotto 2', 'Prodotto 1'])
  history.back()
  await screen.findByRole('dialog', { name: 'Uscire senza salvare?' })
  await user.click(screen.getByRole('button', { name: 'Continua a ordinare' }))
  await waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Uscire senza salvare?' })).toBeNull(),
  )
  expect(items(sheet)).toEqual(['Prodotto 3', 'Prodotto 2', 'Prodotto 1'])
  await user.click(screen.getByRole('button', { name: 'Chiudi la finestra' }))
  await user.click(await screen.findByRole('button', { name: 'Esci senza salvare' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(opener)
  expect(sent()).toEqual([])
  expect(location.pathname).toBe('/offers')
})

test('moved back to where it was there is nothing to save, and nothing to ask', async () => {
  const { user } = await open()
  await user.click(move('giù', 2))
  await user.click(move('su', 2))
  expect(inactive(save())).toBe(true)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an order that was made can be left to the page again', async () => {
  const { user, sheet, sent } = await open([offer(3), placed(offer(2), 1), placed(offer(1), 0)])
  expect(items(sheet)).toEqual(['Prodotto 1', 'Prodotto 2', 'Prodotto 3'])
  await user.click(screen.getByRole('button', { name: 'Ordine automatico' }))
  expect(await screen.findByText("L'ordine è di nuovo automatico")).toBeDefined()
  expect(sent()).toEqual([{ offerIds: [] }])
})

test('an order that could not be saved is not lost', async () => {
  const { api, user, sheet } = await open()
  await user.click(move('giù', 2))
  api.on(arrangeOffers, () => failure('service.unavailable'))
  await user.click(save())
  expect(await within(sheet).findByRole('alert')).toBeDefined()
  expect(items(sheet)).toEqual(['Prodotto 3', 'Prodotto 2', 'Prodotto 1'])
})
