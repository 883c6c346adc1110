import { draftProduct, type ProductDraft } from '@bancone/contract/assistant'
import type { UploadedImage } from '@bancone/contract/images'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { findProductImage } from '@bancone/contract/product-images'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { keptPicture, pictureOf } from '../../../test/fake-pictures.ts'
import { fakeUploads } from '../../../test/fake-uploads.ts'
import { fill } from '../../../test/fill.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { withOffers } from '../../../test/offers.ts'
import { draft } from '../../../test/product-draft.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderPage } from '../../../test/render-page.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'
import { ProductDraft as ProductDraftPage } from './product-draft.tsx'

const kept = keptPicture()

const archived = { source: 'cache', image: kept } as const

/** A pharmacy with offers, whose assistant and whose archive answer so. */
function server(reply: () => ProductDraft | Promise<ProductDraft> = () => draft) {
  return serverWith([])
    .on(getOwnPharmacy, () => withOffers)
    .on(draftProduct, () => reply())
    .on(findProductImage, () => archived)
}

async function open(api: StubApi = server()) {
  const downloads = fakeDownloads()
  const view = renderPage(<ProductDraftPage />, '/product-draft', api)
  await screen.findByRole('heading', { level: 1, name: 'Scheda prodotto' })
  return { ...view, api, downloads }
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const asked = (api: StubApi, path: string) =>
  api.requests.filter((request) => request.path === path).map(({ body }) => body)
const drafts = (api: StubApi) => asked(api, '/api/assistant/product-drafts')
const searches = (api: StubApi) => asked(api, '/api/product-images')
const shown = () => document.querySelector('img:not([data-preview], [hidden])')?.getAttribute('src')
const source = () => document.querySelector('[data-source]')?.textContent

test('the assistant needs a name, and says so', async () => {
  const { user, api } = await open()
  await user.click(button('Genera con AI'))
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText('Nome prodotto mancante')).toBeDefined()
  expect(
    within(alert).getByText('Inserisci prima il nome del prodotto per generare una descrizione'),
  ).toBeDefined()
  await focused(field('Nome del prodotto'))
  expect(drafts(api)).toEqual([])
  await user.keyboard('Tachipirina')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('it is asked with name and category, and no proposal stands in a field before it is taken', async () => {
  const { user, api } = await open()
  fill(field('Nome del prodotto'), 'Tachipirina 500')
  await user.click(button('Genera con AI'))
  await screen.findByText('Proposta per «Tachipirina 500»')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Categoria' }), 'Farmaci da banco')
  await user.click(button('Genera con AI'))
  await waitFor(() => expect(drafts(api)).toHaveLength(2))
  expect(drafts(api)).toEqual([
    { productName: 'Tachipirina 500', category: 'Generale' },
    { productName: 'Tachipirina 500', category: 'Farmaci da banco' },
  ])
  await screen.findByText('Proposta per «Tachipirina 500»')
  expect(field('Descrizione').value).toBe('')
  expect(field('Prezzo (€)').value).toBe('')
  expect(searches(api)).toEqual([])
  expect(screen.getByText(/^Controlla prezzo e codice/)).toBeDefined()
  fill(field('Nome del prodotto'), 'Tachipirina gocce')
  expect(screen.getByText(/^Il nome del prodotto è cambiato/)).toBeDefined()
})

test('what was taken is in the fields, with the picture of the code, and can be undone', async () => {
  const { user, api } = await open()
  fill(field('Nome del prodotto'), 'Tachipirina 500')
  fill(field('Descrizione'), 'Le mie parole')
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Usa tutto' }))
  expect(field('Descrizione').value).toBe(draft.description)
  expect(field('Prezzo (€)').value).toBe('9,90')
  expect(field('Codice prodotto (Minsan)').value).toBe('012745093')
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
  expect(source()).toContain("Dall'archivio")
  expect(searches(api)).toEqual([{ minsan: '012745093' }])
  expect(inactive(button('Usa tutto'))).toBe(true)

  await user.type(field('Prezzo (€)'), '{Backspace}5')
  await user.click(button('Annulla e rimetti i testi di prima'))
  expect(field('Descrizione').value).toBe('Le mie parole')
  expect(field('Codice prodotto (Minsan)').value).toBe('')
  // A field that was changed since keeps its text.
  expect(field('Prezzo (€)').value).toBe('9,95')
  await focused(button('Usa tutto'))
})

test('a code that is given back takes its search along, and brings the picture of the one before', async () => {
  const other = { ...kept, url: '/images/a_9/0123', publicId: 'a_9' }
  const late = deferred<{ source: 'cache'; image: UploadedImage }>()
  const api = server().on(findProductImage, ({ body: { minsan } }) =>
    minsan === '012745093' ? late.promise : archived,
  )
  const { user } = await open(api)
  fill(field('Nome del prodotto'), 'Tachipirina')
  fill(field('Codice prodotto (Minsan)'), '034208013')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Usa il codice' }))
  expect(source()).toContain('Predefinita')
  await user.click(button('Annulla e rimetti i testi di prima'))
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
  await act(async () => late.resolve({ source: 'cache', image: other }))
  expect(shown()).toBe('/images/a_1/0123/product')
})

test('piece by piece, and the way back leads to what was typed, whatever was taken in between', async () => {
  let description = 'Prima proposta'
  const { user } = await open(server(() => ({ ...draft, description })))
  fill(field('Nome del prodotto'), 'Tachipirina')
  fill(field('Descrizione'), 'Mia')
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Usa la descrizione' }))
  expect(field('Descrizione').value).toBe('Prima proposta')
  expect(field('Prezzo (€)').value).toBe('')
  description = 'Seconda proposta'
  await user.click(button('Genera con AI'))
  await screen.findByText('Seconda proposta')
  await user.click(button('Usa la descrizione'))
  expect(field('Descrizione').value).toBe('Seconda proposta')
  await user.click(button('Annulla e rimetti i testi di prima'))
  expect(field('Descrizione').value).toBe('Mia')
})

test('what cannot be used is shown as such, with its reason and without a way to use it', async () => {
  const { user } = await open(
    server(() => ({
      description: null,
      price: { text: 'circa dieci euro', cents: null, problem: 'not_a_price' },
      minsan: { text: '012745094', code: null, problem: 'check_digit' },
    })),
  )
  fill(field('Nome del prodotto'), 'Tachipirina')
  await user.click(button('Genera con AI'))
  expect((await screen.findByText('circa dieci euro')).tagName).toBe('S')
  expect(screen.getByText('Non utilizzabile: la cifra di controllo non torna')).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Usa (il|la)/ })).toBeNull()
  expect(inactive(button('Usa tutto'))).toBe(true)
})

test('a failure of the workflow is said and can be tried again', async () => {
  const api = server().on(draftProduct, () => failure('assistant.failed', 'Errore API: 500'))
  const { user } = await open(api)
  fill(field('Nome del prodotto'), 'Tachipirina')
  await user.click(button('Genera con AI'))
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Impossibile generare i dati: Errore API: 500',
  )
  api.on(draftProduct, () => draft)
  await user.click(button('Riprova'))
  await screen.findByText('Proposta per «Tachipirina»')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a code of which nothing is known is used only by itself, with a warning', async () => {
  const minsan = { text: '934208014', code: '934208014', problem: 'unverified' } as const
  const { user } = await open(server(() => ({ ...draft, minsan })))
  fill(field('Nome del prodotto'), 'Crema')
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Usa tutto' }))
  expect(field('Codice prodotto (Minsan)').value).toBe('')
  expect(screen.getByText(/^Attenzione: la cifra di controllo/)).toBeDefined()
  await user.click(button('Usa il codice'))
  expect(field('Codice prodotto (Minsan)').value).toBe('934208014')
})

test('a code that is taken has no use for the picture of another, but for one that was sent', async () => {
  const api = server()
  const { user } = await open(api)
  const uploads = fakeUploads()
  fill(field('Nome del prodotto'), 'Tachipirina')
  fill(field('Codice prodotto (Minsan)'), '034208013')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(source()).toContain("Dall'archivio"))
  api.on(findProductImage, () => failure('product_images.not_found'))
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Usa il codice' }))
  expect(await screen.findByText('Immagine non trovata')).toBeDefined()
  expect(source()).toContain('Predefinita')

  await user.upload(screen.getByLabelText("Carica un'immagine"), pictureOf('jpeg', 'a.jpg'))
  await (await uploads.nth(1)).answers(201, JSON.stringify(kept))
  fill(field('Codice prodotto (Minsan)'), '1')
  await user.click(button('Usa il codice'))
  expect(source()).toContain('Caricata da te')
  expect(searches(api)).toHaveLength(2)
})

test('while it thinks it is not asked twice, and an answer after it was given up is not shown', async () => {
  const answer = deferred<ProductDraft>()
  const { user, api } = await open(server(() => answer.promise))
  fill(field('Nome del prodotto'), 'Tachipirina')
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Generazione…' }))
  expect(drafts(api)).toHaveLength(1)
  await user.click(button('Annulla'))
  await act(async () => answer.resolve(draft))
  expect(screen.queryByText(/^Proposta per/)).toBeNull()
})

test('a code is checked while it is typed, and a wrong one is not looked for', async () => {
  const { user, api } = await open()
  const code = field('Codice prodotto (Minsan)')
  await user.type(code, '01274509')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(code, '4')
  expect(await screen.findByText(/La cifra di controllo non torna/)).toBeDefined()
  await user.click(button('Cerca immagine'))
  expect(searches(api)).toEqual([])
  await user.clear(code)
  await user.type(code, 'A012745093')
  expect(screen.getByText('Codice corretto')).toBeDefined()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(searches(api)).toEqual([{ minsan: '012745093' }]))
  // It is said when the picture is there.
  const picture = await waitFor(() => {
    const found = document.querySelector('img[hidden]')
    if (!found) throw new Error('no picture')
    return found
  })
  expect(screen.queryByText('Immagine trovata')).toBeNull()
  fireEvent.load(picture)
  expect((await screen.findByText('Immagine trovata')).textContent).toContain(": dall'archivio")
  fireEvent.error(picture)
  expect(await screen.findByText(/L'immagine di questo codice non si apre/)).toBeDefined()
  expect(screen.queryByText('Immagine trovata')).toBeNull()
})

test.each([
  [{ source: 'download', image: kept } as const, 'Scaricata', '/images/a_1/0123/product'],
  [
    { source: 'fallback', url: 'https://provider.example/1.jpg' } as const,
    'Dal fornitore',
    'https://provider.example/1.jpg',
  ],
])('where the picture comes from is said: %j', async (found, label, address) => {
  const { user } = await open(server().on(findProductImage, () => found))
  fill(field('Codice prodotto (Minsan)'), '012745093')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(source()).toContain(label))
  expect(shown()).toBe(address)
})

test('a picture that is not found is to be brought by hand, and a search that fails can be tried again', async () => {
  const api = server().on(findProductImage, () => failure('product_images.not_found'))
  const { user } = await open(api)
  fill(field('Codice prodotto (Minsan)'), '012745093')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Immagine non trovata')).toBeDefined()
  expect(screen.getByText(/trascina una foto nel riquadro/)).toBeDefined()
  expect(source()).toContain('Predefinita')
  api.on(findProductImage, () => failure('product_images.failed'))
  await user.click(button('Cerca immagine'))
  expect((await screen.findByRole('alert')).textContent).toContain('Errore')
  api.on(findProductImage, () => archived)
  await user.click(button('Riprova'))
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
  await focused(button('Cerca immagine'))
})

test('one that is found in the place of another leaves a way back', async () => {
  const api = server()
  const { user } = await open(api)
  const code = field('Codice prodotto (Minsan)')
  fill(code, '012745093')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
  const image = { ...kept, url: '/images/a_3/0123', publicId: 'a_3' }
  const other = { source: 'download', image } as const
  api.on(findProductImage, () => other)
  await user.click(button('Cerca immagine'))
  await waitFor(() => expect(shown()).toBe('/images/a_3/0123/product'))
  fireEvent.click(await screen.findByRole('button', { name: 'Annulla' }))
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
})

test('texts are copied, the picture by its address or as a file that every program reads', async () => {
  const { user, api, downloads } = await open()
  // They have their place before there is something to copy: nothing moves while it is typed.
  expect(inactive(button('Copia tutti i testi'))).toBe(true)
  expect(inactive(button('Copia la descrizione'))).toBe(true)
  fill(field('Nome del prodotto'), 'Crema più')
  fill(field('Prezzo (€)'), '9,9')
  fill(field('Codice prodotto (Minsan)'), '012745093')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown()).toBeDefined())
  const copied = async (name: string) => {
    await user.click(button(name))
    return (await navigator.clipboard.readText()).replaceAll('\u00a0', ' ')
  }
  expect(await copied('Copia il nome')).toBe('Crema più')
  expect(await copied('Copia il prezzo')).toBe('9,90 €')
  expect(await copied('Copia il codice')).toBe('012745093')
  expect(await copied('Copia tutti i testi')).toBe('Crema più\nPrezzo: 9,90 €\nCodice: 012745093')
  const all = button('Copia tutti i testi').parentElement
  expect(all?.textContent).toContain('Copiato')
  await user.type(field('Nome del prodotto'), '!')
  expect(all?.textContent).not.toContain('Copiato')
  await user.type(field('Nome del prodotto'), '{Backspace}')
  expect(await copied('Copia indirizzo')).toBe(`${location.origin}/images/a_1/0123/original`)
  const wanted: unknown[] = []
  const stub = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (!address.includes('/images/')) return stub(address, init)
    wanted.push(address, init.headers)
    return Promise.resolve(new Response('picture'))
  })
  await user.click(button('Scarica'))
  await waitFor(() =>
    expect(downloads.saved).toEqual([{ name: 'crema-piu-012745093.jpg', text: 'picture' }]),
  )
  expect(wanted).toEqual([`${location.origin}/images/a_1/0123/original`, { accept: 'image/jpeg' }])
  expect(api.unexpected).toEqual([])
})

test('the sheet outlasts a reload, and can be emptied, with a way back', async () => {
  const api = server()
  const { user, unmount } = await open(api)
  fill(field('Nome del prodotto'), 'Tachipirina')
  fill(field('Codice prodotto (Minsan)'), '012745093')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown()).toBeDefined())
  unmount()
  const again = await open(api)
  expect(field('Nome del prodotto').value).toBe('Tachipirina')
  expect(shown()).toBe('/images/a_1/0123/product')
  await again.user.click(button('Svuota'))
  expect(field('Nome del prodotto').value).toBe('')
  expect(shown()).toBeUndefined()
  fireEvent.click(await screen.findByRole('button', { name: 'Annulla' }))
  expect(field('Nome del prodotto').value).toBe('Tachipirina')
})
