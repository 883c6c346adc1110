import { getOrder } from '@bancone/contract/order-details'
import { changeOrderStatus, listOrders, markOrdersSeen } from '@bancone/contract/orders'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { detailsOf, newOrder, order, orders, pageOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'

const full = order(7, {
  Cliente: 'Giulia Bianchi',
  'Phone Number': '+39 333 123 4567',
  Indirizzo: 'Via Roma 1, Milano',
  Ordine: 'Cerotti',
  Image: 'https://example.com/a.jpg',
  Stato: 'Prenotato Domani',
})
const bare = order(6, { Last: 'boh' })

/** Term and description of each line of the dialog; of a choice, what is chosen. */
function lines(dialog: HTMLElement) {
  const terms = within(dialog).getAllByRole('term')
  return terms.map((term) => {
    const line = term.nextElementSibling
    return [term.textContent, line?.querySelector('select')?.value ?? line?.textContent]
  })
}

async function open(n: number) {
  const api = serverWith([full, bare])
  return { api, ...(await openDetails(api, n)) }
}

test('the dialog holds everything known of the order', async () => {
  const { dialog } = await open(7)
  expect(lines(dialog)).toEqual([
    ['ID Ordine', '7rec000007'],
    ['Cliente', 'Giulia Bianchi'],
    ['Stato', 'Prenotato Domani'],
    ['Contatti', '+39 333 123 4567'],
    ['Prodotto Richiesto', 'CerottiVisualizza Immagine'],
    ['Indirizzo', 'Via Roma 1, Milano'],
    ['Data Ordine', '01/01/2026 09:07'],
    ['Ultimo Aggiornamento', '01/01/2026 09:07'],
  ])
  const phone = within(dialog).getByRole('link', { name: '+39 333 123 4567' })
  expect(phone.getAttribute('href')).toBe('tel:+393331234567')
  const image = within(dialog).getByRole('link', { name: 'Visualizza Immagine' })
  expect(image.getAttribute('href')).toBe('https://example.com/a.jpg')
  expect([image.getAttribute('target'), image.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ])
})

test('a pointer that goes down asks for the details, and its click does not ask again', async () => {
  const api = serverWith([full, bare])
  const { user } = renderDashboard('/', api)
  const button = await screen.findByRole('button', { name: 'Dettagli ordine 7' })
  const asked = () =>
    api.requests.map(({ path }) => path).filter((path) => path.startsWith('/api/orders/rec'))
  // A finger on a row may only begin to scroll.
  await user.pointer({ keys: '[TouchA>]', target: screen.getByText('Cliente 6') })
  await user.pointer({ keys: '[/TouchA]', target: document.body })
  await user.pointer({ keys: '[TouchA>]', target: button })
  await waitFor(() => expect(asked()).toEqual([`/api/orders/${full.id}`]))
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.pointer({ keys: '[/TouchA]', target: button })
  await screen.findByText('Cronologia')
  expect(asked()).toEqual([`/api/orders/${full.id}`])
})

test('all attachments are there, with their names and sizes, and the list says how many', async () => {
  const file = (name: string, type: string, place: number) => ({
    url: `/api/order-images/token${place > 1 ? `/${place}` : ''}`,
    name,
    type,
    bytes: 120_400,
  })
  const files = [file('promemoria.pdf', 'application/pdf', 1), file('foto.jpg', 'image/jpeg', 2)]
  const image = { ...full, fields: { ...full.fields, Image: '/api/order-images/token' } }
  const api = serverWith([
    { ...image, attachments: files },
    { ...bare, fields: { ...bare.fields, Image: 'https://x.it' }, attachments: files.slice(0, 1) },
  ])
  const { dialog } = await openDetails(api, 7)
  expect(screen.getAllByText('2 allegati').length).toBe(1)
  const list = within(dialog).getByRole('list', { name: '2 allegati' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'Scarica allegato 1 di 2promemoria.pdf · 121\u00a0kB',
    'Visualizza Immagine 2 di 2foto.jpg · 121\u00a0kB',
  ])
  const link = within(list).getByRole('link', { name: 'Visualizza Immagine 2 di 2' })
  expect(link.getAttribute('href')).toBe('/api/order-images/token/2')
})

test('one attachment that is no picture is downloaded', async () => {
  const pdf = { url: '/api/order-images/t', name: null, type: 'application/pdf', bytes: 1_250_000 }
  const image = order(7, { Image: pdf.url })
  const { dialog } = await openDetails(serverWith([{ ...image, attachments: [pdf] }]), 7)
  const link = within(dialog).getByRole('link', { name: 'Scarica allegato' })
  expect(link.getAttribute('href')).toBe(pdf.url)
  expect(link.parentElement?.textContent).toBe('Scarica allegato1,3\u00a0MB')
  expect(screen.queryByText(/allegati/)).toBeNull()
})

test('the dialog says which fields may be old, and why', async () => {
  const outdated = [
    { column: 'Stato', reason: 'missing' as const },
    { column: 'Cliente', reason: 'unreadable' as const },
  ]
  const api = serverWith([full]).on(getOrder, () => detailsOf(full, { outdated }))
  const { dialog } = await openDetails(api, 7)
  const columns = within(await within(dialog).findByText(/possono essere vecchi/))
  expect(columns.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Stato: la colonna manca nella tabella',
    'Cliente: la cella non contiene un testo che si legge',
  ])
})

/** A server that holds the second order, and changes it when `answer` says so. */
function changeable(api: StubApi, answer: () => Promise<boolean>) {
  let held = bare
  api
    .on(listOrders, ({ query }) => pageOf([full, held], query))
    .on(getOrder, () => detailsOf(held))
    .on(changeOrderStatus, async ({ body }) => {
      if (!(await answer())) return failure('internal')
      held = order(6, { ...held.fields, Stato: body.fields.Stato })
      return held
    })
}

test('the status is changed from here too, and it is said how that goes', async () => {
  const { user, dialog, api } = await open(6)
  const answers = [deferred<boolean>(), deferred<boolean>(), deferred<boolean>()]
  const [fails, works, undone] = answers
  let asked = 0
  changeable(api, async () => {
    asked += 1
    return answers[asked - 1]?.promise ?? false
  })
  const control = within(dialog).getByRole<HTMLSelectElement>('combobox', { name: /^Stato/ })
  await user.selectOptions(control, 'Annullato')
  expect([control.value, inactive(control)]).toEqual(['Annullato', true])
  expect(within(dialog).getByText('Aggiornamento dello stato…')).toBeDefined()
  fails?.resolve(false)
  expect(await within(dialog).findByText('Lo stato non è diventato «Annullato».')).toBeDefined()
  expect(control.value).toBe('In attesa')
  await user.click(within(dialog).getByRole('button', { name: 'Riprova' }))
  works?.resolve(true)
  expect(await within(dialog).findByText('Stato aggiornato: Annullato')).toBeDefined()
  expect([control.value, inactive(control)]).toEqual(['Annullato', false])
  expect(within(dialog).queryByText(/non è diventato/)).toBeNull()
  // The way back is beside the status, and nowhere else.
  expect(screen.queryByText('Ordine 6: Annullato')).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: 'Annulla modifica' }))
  undone?.resolve(true)
  expect(await within(dialog).findByText('Stato aggiornato: In attesa')).toBeDefined()
  expect(document.activeElement).toBe(within(dialog).getByRole('combobox'))
})

test('what is missing is said', async () => {
  const { dialog } = await open(6)
  expect(lines(dialog)).toContainEqual(['Contatti', 'Nessun numero di telefono'])
  expect(lines(dialog)).toContainEqual(['Indirizzo', 'Nessun indirizzo specificato'])
  expect(lines(dialog)).toContainEqual(['Ultimo Aggiornamento', 'Data non valida'])
  expect(within(dialog).queryByText('Visualizza Immagine')).toBeNull()
})

test.each(['Chiudi', 'Escape'])('%s closes it and the focus returns to the button', async (how) => {
  const { user, opener, dialog } = await open(7)
  if (how === 'Escape') await user.keyboard('{Escape}')
  else await user.click(within(dialog).getByRole('button', { name: how }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('the whole row opens it, its controls do not', async () => {
  const { user } = renderDashboard('/', serverWith([full, bare]))
  await user.click(await screen.findByRole('combobox', { name: 'Stato ordine 7' }))
  await user.click(screen.getByRole('link', { name: /^Visualizza/ }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByText('Via Roma 1, Milano'))
  expect(await screen.findByRole('dialog')).toBeDefined()
})

test('an address opens its order, on whatever page it is, and is seen then', async () => {
  const seen: string[][] = []
  const far = newOrder(1)
  const api = serverWith([...orders(4).slice(0, 3), far]).on(markOrdersSeen, ({ body }) => {
    seen.push(body.recordIds)
    return { count: 0, recordIds: [] }
  })
  const { user } = renderDashboard('/?pageSize=2&ordine=rec000001', api)
  const dialog = await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  expect(await within(dialog).findByText('Cliente 1')).toBeDefined()
  await waitFor(() => expect(seen).toEqual([[far.id]]))
  expect(within(dialog).queryByRole('button', { name: 'Ordine successivo' })).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: 'Chiudi' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(location.search).toBe('?pageSize=2')
  expect(screen.getByText('Cliente 4')).toBeDefined()
})

test('an address of an order that is not there says so', async () => {
  const { user } = renderDashboard('/?ordine=rec999999', serverWith(orders(2)))
  expect(await screen.findByText(/Questo ordine non c'è/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Chiudi' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('Cliente 2')).toBeDefined()
})

test('previous and next go through the page, keep the focus and stop at its ends', async () => {
  const { user } = renderDashboard('/', serverWith(orders(3)))
  const opener = await screen.findByRole('button', { name: 'Dettagli ordine 3' })
  await user.click(opener)
  const dialog = await screen.findByRole('dialog')
  const previous = within(dialog).getByRole('button', { name: 'Ordine precedente' })
  const next = within(dialog).getByRole('button', { name: 'Ordine successivo' })
  expect([inactive(previous), inactive(next)]).toEqual([true, false])
  await user.click(next)
  expect(await within(dialog).findByText('Cliente 2')).toBeDefined()
  expect(document.activeElement).toBe(next)
  expect(within(dialog).getByText('Ordine 2', { selector: '[role=status]' })).toBeDefined()
  await user.click(next)
  expect(await within(dialog).findByText('Cliente 1')).toBeDefined()
  expect([inactive(previous), inactive(next)]).toEqual([false, true])
  expect(location.search).toBe('?ordine=rec000001')
  // However many were looked at, one step back is the list.
  window.history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(location.search).toBe('')
})

test('the link to copy names the order and none of the filters', async () => {
  const { user } = renderDashboard('/?stato=In+attesa#q=cliente', serverWith(orders(2)))
  await user.click(await screen.findByRole('button', { name: 'Dettagli ordine 2' }))
  await user.click(await screen.findByRole('button', { name: 'Copia link' }))
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/?ordine=rec000002`)
})
