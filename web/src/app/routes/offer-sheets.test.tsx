import { listOffers, type OfferRecord } from '@bancone/contract/offers'
import { getOwnPharmacy, type OwnPharmacy } from '@bancone/contract/pharmacies'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { offer, offersServer } from '../../../test/offers.ts'
import { renderPage } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'
import { OfferSheets } from './offer-sheets.tsx'

const PHOTO = '/images/archive_1/abc'
const cream = offer(1, {
  Nome_Prodotto: 'Crema mani',
  Descrizione: 'Idrata a lungo.',
  URL_Immagine: PHOTO,
  Data_Fine: '2026-03-31',
})
const syrup = offer(2, {
  Nome_Prodotto: 'Sciroppo',
  Descrizione: 'Calma la tosse.',
  Categoria: 'Farmaci da banco',
})
const later = offer(3, { Nome_Prodotto: 'Solare', Data_Inizio: '2026-03-20' })
const off = offer(4, { Nome_Prodotto: 'Shampoo', Stato_Offerta: 'Inattiva' })

const withOffers: OwnPharmacy = {
  ...pharmacy,
  features: ['offers'],
  address: 'Via Roma 1, Verona',
  phone: '045 800 1234',
  logoUrl: 'https://example.it/logo.png',
}

function server(offers: OfferRecord[] = [off, later, syrup, cream]) {
  const prior = { cents: 1_000, declared: false }
  return offersServer(offers.map((each) => ({ ...each, prior }))).on(
    getOwnPharmacy,
    () => withOffers,
  )
}

async function open(path = '/offer-sheets', api = server()) {
  const view = renderPage(<OfferSheets />, path, api)
  await screen.findByRole('region', { name: 'Anteprima' })
  return view
}

const sheets = () => screen.queryAllByRole('region', { name: /^Foglio / })
const sheet = () => within(sheets()[0] ?? document.body)
const products = () =>
  sheet()
    .getAllByRole('heading', { level: 3 })
    .map((each) => each.textContent)
const box = (name: string) => screen.getByRole('checkbox', { name: new RegExp(`^${name}`) })
const codes = () =>
  [...document.querySelectorAll('[data-address]')].map((each) => each.getAttribute('data-address'))

let printed: ReturnType<typeof vi.fn>
beforeEach(() => {
  printed = vi.spyOn(window, 'print').mockReturnValue(undefined)
})

test('a flyer has what customers see, whose it is, and a code that leads to the page', async () => {
  await open()
  expect(products()).toEqual(['Crema mani', 'Sciroppo'])
  expect(sheet().getByRole('heading', { level: 2, name: 'Offerte Speciali' })).toBeDefined()
  for (const text of ['Farmacia San Carlo', 'Via Roma 1, Verona', 'Tel. 045 800 1234']) {
    expect(sheet().getByText(text)).toBeDefined()
  }
  const pictures = [...document.querySelectorAll('[data-sheets] img')]
  expect(pictures.map((each) => each.getAttribute('src'))).toEqual([
    'https://example.it/logo.png',
    `${PHOTO}/card-2x`,
  ])
  // Those that are not looked at are printed, too.
  expect(pictures.some((each) => each.getAttribute('loading') === 'lazy')).toBe(false)
  expect(codes()).toEqual([`${location.origin}/offers/PHARM-0001?da=volantino`])
  expect(sheet().getByText(/Inquadra/)).toBeDefined()
  expect(screen.getByText('2 offerte, 1 foglio')).toBeDefined()
})

test('a product has its prices, and no description', async () => {
  await open()
  const [creamItem, syrupItem] = sheet().getAllByRole('listitem')
  const text = (item: HTMLElement | undefined) => item?.textContent.replaceAll('\u00a0', ' ')
  const lowest = 'Prezzo più basso degli ultimi 30 giorni: 10,00 €'
  expect(text(creamItem)).toBe(`-10%Crema mani9,00 €Prima: 10,00 €${lowest}Fino al 31/03/2026`)
  expect(text(syrupItem)).toBe(`-10%Sciroppo9,00 €Prima: 10,00 €${lowest}`)
})

test('what is printed is chosen, also what customers do not see yet', async () => {
  const { user } = await open()
  expect(
    screen
      .getAllByRole<HTMLInputElement>('checkbox')
      .map((each) => [each.parentElement?.textContent, each.checked]),
  ).toEqual([
    ['Crema mani', true],
    ['Sciroppo', true],
    ['ShampooInattiva', false],
    ['SolareProgrammata', false],
  ])
  await user.click(box('Solare'))
  await user.click(box('Sciroppo'))
  expect(products()).toEqual(['Crema mani', 'Solare'])
  await user.click(screen.getByRole('button', { name: 'Tutte' }))
  expect(screen.getByText('4 offerte, 1 foglio')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Nessuna' }))
  expect(screen.getByText('Nessuna offerta scelta')).toBeDefined()
  const print = screen.getByRole('button', { name: 'Stampa' })
  expect(inactive(print)).toBe(true)
  await user.click(print)
  expect(printed).not.toHaveBeenCalled()
})

test('the address says which offers the choice begins with', async () => {
  await open(`/offer-sheets?offerte=${off.id},${cream.id}`)
  expect(products()).toEqual(['Crema mani', 'Shampoo'])
})

test('the title is the pharmacy’s, or there is none', async () => {
  await open()
  const title = screen.getByLabelText('Titolo del volantino')
  fill(title, '')
  expect(sheet().queryByRole('heading', { level: 2 })).toBeNull()
  fill(title, 'Speciale primavera')
  expect(sheet().getByRole('heading', { level: 2, name: 'Speciale primavera' })).toBeDefined()
})

test('labels lead to their offers, and begin where the sheet is free', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('radio', { name: /^Etichette/ }))
  expect(location.search).toBe('?tipo=etichette')
  expect(products()).toEqual(['Crema mani', 'Sciroppo'])
  const page = `${location.origin}/offers/PHARM-0001`
  expect(codes()).toEqual([cream, syrup].map(({ id }) => `${page}/${id}?da=volantino`))
  const first = screen.getByLabelText('Inizia dall’etichetta numero')
  fill(first, '24')
  expect(screen.getByText('2 offerte, 2 fogli')).toBeDefined()
  expect(sheets().map((each) => each.querySelectorAll('.label').length)).toEqual([24, 1])
  fill(first, '245')
  expect(screen.getByText('Scrivi un numero da 1 a 24')).toBeDefined()
  expect(sheets()).toHaveLength(1)
})

test('Stampa prints upright, once the pictures are there', async () => {
  const arrivals: (() => void)[] = []
  const { prototype } = HTMLImageElement
  vi.spyOn(prototype, 'complete', 'get').mockReturnValue(false)
  // jsdom decodes no pictures.
  Object.defineProperty(prototype, 'decode', {
    configurable: true,
    value: async () => new Promise<void>((resolve) => arrivals.push(resolve)),
  })
  onTestFinished(() => void Reflect.deleteProperty(prototype, 'decode'))
  const { user } = await open()
  const rules = [...document.querySelectorAll('body style')].map((each) => each.textContent)
  expect(rules.join()).toContain('size: A4 portrait')
  await user.click(screen.getByRole('button', { name: 'Stampa' }))
  expect([arrivals.length, printed.mock.calls.length]).toEqual([2, 0])
  for (const arrive of arrivals) arrive()
  await waitFor(() => expect(printed).toHaveBeenCalledOnce())
})

test('a picture that does not come is left out', async () => {
  await open()
  const photo = document.querySelector(`img[src^="${PHOTO}"]`)
  if (!photo) throw new Error('there is no photo')
  fireEvent.error(photo)
  expect(document.querySelectorAll('[data-sheets] img')).toHaveLength(1)
})

test('without offers one is led to make some', async () => {
  renderPage(<OfferSheets />, '/offer-sheets', server([offer(1, { Data_Fine: '2026-03-01' })]))
  expect(await screen.findByText('Nessuna offerta da stampare')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Vai alle offerte' }).getAttribute('href')).toBe(
    '/offers',
  )
})

test('a reading that fails is said, and can be tried again', async () => {
  const api = server().on(listOffers, () => failure('internal'))
  const { user } = renderPage(<OfferSheets />, '/offer-sheets', api)
  expect((await screen.findByRole('alert')).textContent).toContain('caricamento delle offerte')
  server().install()
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  await waitFor(() => expect(products()).toEqual(['Crema mani', 'Sciroppo']))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a pharmacy without offers in its plan is told so', async () => {
  const api = server().on(getOwnPharmacy, () => pharmacy)
  renderPage(<OfferSheets />, '/offer-sheets', api)
  expect(await screen.findByRole('heading', { name: 'Offerte non disponibili' })).toBeDefined()
})
