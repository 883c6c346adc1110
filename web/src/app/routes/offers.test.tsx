import type { Response } from '@bancone/contract/endpoint'
import {
  changeOffer,
  listOffers,
  type OfferFields,
  type OfferRecord,
  removeOffer,
} from '@bancone/contract/offers'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FakeChannels } from '../../../test/fake-channel.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { offer, offersServer, offersToday, withOffers } from '../../../test/offers.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { renderOffers } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const heading = () => screen.findByRole('heading', { name: 'Gestione Offerte' })
const names = () =>
  screen.getAllByRole('rowheader').map((head) => within(head).getByRole('link').textContent)
const row = (name: string) => {
  const found = screen.getByRole('link', { name }).closest('tr')
  if (!found) throw new Error(`No row shows ${name}`)
  return within(found)
}
const toggle = (name: string) => screen.getByRole('switch', { name: `Offerta attiva: ${name}` })
const state = (name: string) => [
  toggle(name).getAttribute('aria-checked'),
  row(name).getByText(/^(Attiva|Inattiva|Programmata|Scaduta)$/).textContent,
]
const price = (text: string | null) => text?.replaceAll('\u00a0', ' ')

async function open(offers: OfferRecord[], path = '/offers', most: number | null = 10) {
  const api = offersServer(offers, most)
  const view = renderOffers(path, api)
  await heading()
  await screen.findByText(/offerte attive/)
  return { api, ...view }
}

async function menu(user: Awaited<ReturnType<typeof open>>['user'], name: string) {
  await user.click(row(name).getByRole('button', { name: `Azioni: ${name}` }))
  return within(screen.getByRole('menu'))
}

const scheduled: Partial<OfferFields> = { Data_Inizio: '2026-03-20', Data_Fine: '2026-04-20' }
const expired: Partial<OfferFields> = { Data_Fine: '2026-03-09' }
const off: Partial<OfferFields> = { Stato_Offerta: 'Inattiva' }

test.each(['before', 'after'])(
  'are asked for beside the pharmacy, and once if they come %s it',
  async (when) => {
    const [known, list] = [deferred<typeof withOffers>(), deferred<Response<typeof listOffers>>()]
    const api = offersServer([])
      .on(getOwnPharmacy, () => known.promise)
      .on(listOffers, () => list.promise)
    renderOffers('/offers', api)
    const asked = () => api.requests.filter(({ path }) => path === listOffers.path)
    await waitFor(() => expect(asked()).toHaveLength(1))
    expect(screen.queryByRole('heading')).toBeNull()
    const answer = { offers: [offer(1)], limit: { active: 1, most: 10 }, today: offersToday }
    if (when === 'before') list.resolve(answer)
    known.resolve(withOffers)
    await heading()
    list.resolve(answer)
    await screen.findByRole('link', { name: 'Prodotto 1' })
    expect(asked()).toHaveLength(1)
  },
)

test('the bar leads to the offers, which are a table with all that is to be known of each', async () => {
  const featured = offer(1, { Prezzo_Offerta: 1_000, Codice_Minsan: '012345678' })
  const offers = [offer(4, expired), offer(3, scheduled), offer(2, off), featured]
  const { user } = renderApp('/product-draft', offersServer(offers))
  await user.click(await screen.findByRole('link', { name: 'Offerte' }))
  await focused(await heading())
  expect(document.title).toBe('Offerte · Bancone')
  expect(screen.getByRole('heading', { name: 'Le tue offerte' })).toBeDefined()
  const [head, ...rows] = await screen.findAllByRole('row')
  expect(
    within(head ?? document.body)
      .getAllByRole('columnheader')
      .map((th) => th.textContent),
  ).toEqual([
    'Immagine',
    'Prodotto',
    'Prezzo di listino',
    'Prezzo offerta',
    'Tipo',
    'Periodo',
    'Stato',
    'Azioni',
  ])
  const cells = rows.map((tr) =>
    [...tr.children].map((cell) => price(cell.textContent)).slice(1, 7),
  )
  expect(cells).toEqual([
    ['Prodotto 4Cosmetici', '10,00 €', '9,00 €', '-10%', 'Da 01/03/2026A 09/03/2026', 'Scaduta'],
    [
      'Prodotto 3Cosmetici',
      '10,00 €',
      '9,00 €',
      '-10%',
      'Da 20/03/2026A 20/04/2026',
      'Programmata',
    ],
    [
      'Prodotto 2Cosmetici',
      '10,00 €',
      '9,00 €',
      '-10%',
      'Da 01/03/2026Nessuna scadenza',
      'Inattiva',
    ],
    [
      'Prodotto 1Cosmetici · 012345678',
      '10,00 €',
      '10,00 €',
      'In Evidenza',
      'Da 01/03/2026Nessuna scadenza',
      'Attiva',
    ],
  ])
})

test('the tabs say how many are stored so, and list what is so today', async () => {
  const offers = [offer(4, expired), offer(3, scheduled), offer(2, off), offer(1)]
  const { user } = await open(offers)
  const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent)
  expect(tabs).toEqual(['Tutte (4)', 'Attive (3)', 'Inattive (1)', 'Archivio (1)'])
  await user.click(screen.getByRole('tab', { name: 'Attive (3)' }))
  await waitFor(() => expect(names()).toEqual(['Prodotto 1']))
  expect(location.search).toBe('?stato=attive')
  expect(
    screen.getByText('Delle 3 attive, 1 è programmata e 1 è scaduta: qui non ci sono.'),
  ).toBeDefined()
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(names()).toEqual(['Prodotto 2']))
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(names()).toEqual(['Prodotto 4']))
  expect(location.search).toBe('?stato=archivio')
  await focused(screen.getByRole('tab', { name: 'Archivio (1)', selected: true }))
})

test('words and order stand in the address, and come from there', async () => {
  const offers = [
    offer(3, { Nome_Prodotto: 'Zinco' }),
    offer(2, { Nome_Prodotto: 'Più luce' }),
    offer(1),
  ]
  const { user } = await open(offers, '/offers?ordina=nome')
  expect(names()).toEqual(['Più luce', 'Prodotto 1', 'Zinco'])
  expect(screen.getByRole('columnheader', { name: 'Prodotto' }).ariaSort).toBe('ascending')
  await user.click(screen.getByRole('button', { name: 'Prodotto' }))
  await waitFor(() => expect(names()).toEqual(['Zinco', 'Prodotto 1', 'Più luce']))
  expect(location.search).toBe('?ordina=nome-za')
  await user.type(screen.getByRole('searchbox', { name: 'Cerca' }), 'piu')
  await waitFor(() => expect(names()).toEqual(['Più luce']))
  await waitFor(() => expect(location.search).toBe('?q=piu&ordina=nome-za'))
  await user.click(screen.getByRole('button', { name: 'Cancella la ricerca' }))
  await waitFor(() => expect(location.search).toBe('?ordina=nome-za'))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Ordina per' }), 'Più recenti')
  await waitFor(() => expect(location.search).toBe(''))
})

test('what finds nothing says so and leads out; without any offer the form is the way', async () => {
  const { user } = await open([offer(1)], '/offers?q=nulla&stato=attive')
  expect(screen.getByText('Nessuna offerta trovata')).toBeDefined()
  expect(screen.getByText(/Hai cercato «nulla»/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Mostra tutte le offerte' }))
  await waitFor(() => expect(names()).toEqual(['Prodotto 1']))
  expect(location.search).toBe('')
  await focused(screen.getByRole('tabpanel'))
})

test('a pharmacy without offers is told how to make the first', async () => {
  await open([])
  expect(screen.getByText('Nessuna offerta trovata')).toBeDefined()
  expect(screen.getByText(/^Crea la prima con il modulo/)).toBeDefined()
  expect(screen.getByText('I clienti adesso non vedono nessuna offerta')).toBeDefined()
})

test('an offer is switched on at once, and the server is told that alone', async () => {
  const answer = deferred<OfferRecord>()
  const { api, user } = await open([offer(2, off), offer(1)])
  api.on(changeOffer, () => answer.promise)
  expect(state('Prodotto 2')).toEqual(['false', 'Inattiva'])
  await user.click(toggle('Prodotto 2'))
  expect(state('Prodotto 2')).toEqual(['true', 'Attiva'])
  expect(screen.getByRole('tab', { name: 'Attive (2)' })).toBeDefined()
  expect(inactive(toggle('Prodotto 2'))).toBe(true)
  expect(api.requests.find(({ method }) => method === 'PATCH')).toMatchObject({
    path: `/api/offers/${offer(2).id}`,
    body: { fields: { Stato_Offerta: 'Attiva' } },
  })
  api.on(listOffers, () => ({
    offers: [offer(2), offer(1)],
    limit: { active: 2, most: 10 },
    today: '2026-03-10',
  }))
  answer.resolve(offer(2))
  expect(await screen.findByText('Stato aggiornato')).toBeDefined()
  expect(screen.getByText("L'offerta è ora attiva")).toBeDefined()
  await waitFor(() => expect(inactive(toggle('Prodotto 2'))).toBe(false))
  expect(state('Prodotto 2')).toEqual(['true', 'Attiva'])
})

test('switched off in the tab of those that are on it leaves, and the next has the focus', async () => {
  const { user } = await open([offer(3), offer(2), offer(1)], '/offers?stato=attive')
  await user.click(toggle('Prodotto 2'))
  await waitFor(() => expect(names()).toEqual(['Prodotto 3', 'Prodotto 1']))
  await focused(toggle('Prodotto 1'))
  expect(await screen.findByText("L'offerta è ora inattiva")).toBeDefined()
})

test('what cannot be switched on goes back, with the reason', async () => {
  const answer = deferred<ReturnType<typeof failure>>()
  const { api, user } = await open([offer(2, off), offer(1)], '/offers', 1)
  api.on(changeOffer, () => answer.promise)
  await user.click(toggle('Prodotto 2'))
  expect(state('Prodotto 2')).toEqual(['true', 'Attiva'])
  answer.resolve(failure('offers.limit_reached'))
  expect(await screen.findByText("Impossibile aggiornare lo stato dell'offerta")).toBeDefined()
  expect(
    screen.getByText("Hai già 1 offerta attiva, il massimo: disattivane un'altra e riprova."),
  ).toBeDefined()
  await waitFor(() => expect(state('Prodotto 2')).toEqual(['false', 'Inattiva']))
})

test('an offer is removed after a question, and the focus goes back, or to the one in its place', async () => {
  const { api, user } = await open([offer(3), offer(2), offer(1)])
  await user.click((await menu(user, 'Prodotto 2')).getByRole('menuitem', { name: 'Elimina' }))
  await user.click(await screen.findByRole('button', { name: 'Annulla' }))
  await focused(row('Prodotto 2').getByRole('button', { name: 'Azioni: Prodotto 2' }))
  expect(names()).toEqual(['Prodotto 3', 'Prodotto 2', 'Prodotto 1'])
  await user.click((await menu(user, 'Prodotto 2')).getByRole('menuitem', { name: 'Elimina' }))
  const name = 'Sei sicuro di voler eliminare questa offerta?'
  const dialog = within(await screen.findByRole('dialog', { name }))
  expect(
    dialog.getByText(
      "Questa azione non può essere annullata. L'offerta verrà rimossa permanentemente dal sistema.",
    ),
  ).toBeDefined()
  expect(dialog.getByText('Prodotto 2')).toBeDefined()
  await focused(dialog.getByRole('button', { name: 'Annulla' }))
  api.on(removeOffer, () => failure('service.unavailable'))
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(await dialog.findByText("Impossibile eliminare l'offerta")).toBeDefined()
  api.on(removeOffer, () => ({}))
  api.on(listOffers, () => ({
    offers: [offer(3), offer(1)],
    limit: { active: 2, most: 10 },
    today: '2026-03-10',
  }))
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(await screen.findByText('Offerta eliminata')).toBeDefined()
  await waitFor(() => expect(names()).toEqual(['Prodotto 3', 'Prodotto 1']))
  await focused(row('Prodotto 1').getByRole('button', { name: 'Azioni: Prodotto 1' }))
})

test('the menu copies the link of an offer, and leads to its sheet', async () => {
  const { user } = await open([offer(1, off)])
  const actions = await menu(user, 'Prodotto 1')
  expect(actions.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Modifica',
    'Duplica',
    'Copia link',
    'Stampa',
    'Elimina',
  ])
  const sheet = actions.getByRole<HTMLAnchorElement>('menuitem', { name: 'Stampa' })
  expect(sheet.pathname).toBe('/offer-sheets')
  expect(sheet.search).toContain(offer(1).id)
  await user.click(actions.getByRole('menuitem', { name: 'Copia link' }))
  expect(await screen.findByText('Link copiato')).toBeDefined()
  expect(screen.getByText('Porterà all’offerta quando i clienti la vedranno.')).toBeDefined()
  expect(await navigator.clipboard.readText()).toBe(
    `http://localhost:3000/offers/PHARM-0001/${offer(1).id}?da=link`,
  )
})

test('what customers see now, and how many there may be, is said in words', async () => {
  await open([offer(4), offer(3, expired), offer(2, scheduled), offer(1)], '/offers', 3)
  expect(screen.getByText('I clienti adesso vedono 2 offerte')).toBeDefined()
  expect(screen.getByText('Delle 4 attive, 1 è programmata e 1 è scaduta.')).toBeDefined()
  expect(screen.getByText('3 di 3 offerte attive, senza quella scaduta')).toBeDefined()
  expect(screen.getByText(/^Hai raggiunto il massimo/)).toBeDefined()
  expect(screen.getByText('http://localhost:3000/offers/PHARM-0001')).toBeDefined()
})

test('what cannot be loaded says so, keeps what was there, and is asked for again', async () => {
  const api = offersServer([offer(1)]).on(listOffers, () => failure('service.unavailable'))
  const { user } = renderOffers('/offers', api)
  const text = 'Si è verificato un errore nel caricamento delle offerte. Riprova più tardi.'
  expect((await screen.findByRole('alert')).textContent).toContain(text)
  expect(inactive(screen.getByRole('button', { name: 'Nuova offerta' }))).toBe(true)
  api.on(listOffers, () => ({
    offers: [offer(1)],
    limit: { active: 1, most: 10 },
    today: '2026-03-10',
  }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  await waitFor(() => expect(names()).toEqual(['Prodotto 1']))
  expect(screen.queryByText(text)).toBeNull()
  expect(inactive(screen.getByRole('button', { name: 'Nuova offerta' }))).toBe(false)
  api.on(listOffers, () => failure('service.unavailable'))
  await user.click(screen.getByRole('button', { name: 'Aggiorna' }))
  expect(await screen.findByText(text)).toBeDefined()
  expect(names()).toEqual(['Prodotto 1'])
})

test('what another tab has changed is shown when the line tells of it', async () => {
  const held = [offer(1)]
  const lines = new FakeChannels()
  renderApp('/offers', offersServer(held), { openChannel: lines.openChannel })
  await waitFor(() => expect(names()).toEqual(['Prodotto 1']))
  await waitFor(() => expect(lines.opened).not.toEqual([]))
  held.unshift(offer(2))
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  lines.emit(({ broadcast }) => broadcast('offers', {}))
  await waitFor(() => expect(names()).toEqual(['Prodotto 2', 'Prodotto 1']))
})

test('on a phone each offer is a card with the same in it', async () => {
  setViewport('narrow')
  await open([offer(1, scheduled)])
  const card = screen.getByRole('heading', { name: 'Prodotto 1' }).closest('li')
  expect(price(card?.textContent ?? null)).toBe(
    'Prodotto 1CosmeticiPrezzo offerta: 9,00 €Prezzo di listino: di listino 10,00 €-10%Da 20/03/2026A 20/04/2026ProgrammataAzioni: Prodotto 1',
  )
})

test.each(['wide', 'narrow'] as const)(
  '%s: it says of what a discount is, where that is not the list price',
  async (viewport) => {
    setViewport(viewport)
    const cheaper = { cents: 950, declared: false }
    await open([{ ...offer(2), prior: cheaper }, offer(1)])
    const badges = [...document.querySelectorAll('[data-type]')]
    expect(badges.map((badge) => price(badge.parentElement?.textContent ?? null))).toEqual([
      '-5%su 9,50 €',
      '-10%',
    ])
  },
)

test.each(['wide', 'narrow'] as const)(
  '%s: an offer that must not be published says so, and why',
  async (viewport) => {
    setViewport(viewport)
    await open([{ ...offer(1), refusal: 'offers.code_missing' }])
    expect(screen.getByText('Non pubblicata')).toBeDefined()
    expect(screen.getByText(/Per pubblicare un medicinale serve il codice AIC/)).toBeDefined()
  },
)

test('a pharmacy without offers in its plan is told so', async () => {
  renderApp(
    '/offers',
    offersServer([]).on(getOwnPharmacy, () => pharmacy),
  )
  expect(await screen.findByRole('heading', { name: 'Offerte non disponibili' })).toBeDefined()
})
