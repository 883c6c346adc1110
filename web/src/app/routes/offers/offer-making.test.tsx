import { draftProduct } from '@bancone/contract/assistant'
import { findMedicine, type Medicine } from '@bancone/contract/medicines'
import { checkOfferPrice, createOffer } from '@bancone/contract/offers'
import { findProductImage } from '@bancone/contract/product-images'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keptPicture, pictureOf } from '../../../../test/fake-pictures.ts'
import { fakeUploads } from '../../../../test/fake-uploads.ts'
import { fill } from '../../../../test/fill.ts'
import { focused } from '../../../../test/focused.ts'
import {
  button,
  chooseCategory,
  field,
  fillIn,
  formServer,
  openForm,
  sent,
  usualPrices,
  write,
} from '../../../../test/offer-form.ts'
import { offer } from '../../../../test/offers.ts'
import { draft } from '../../../../test/product-draft.ts'
import { deferred, failure, rawReply } from '../../../../test/stub-api.ts'

const kept = keptPicture()
const source = () => document.querySelector('[data-source]')?.textContent
const preview = () => screen.getByRole('region', { name: 'Anteprima' })
const plain = (element: HTMLElement) => element.textContent.replaceAll('\u00a0', ' ')

/** What was sent: the form has given it an id. */
const asOne = (fields: object) => {
  const id: unknown = expect.any(String)
  return { id, fields }
}

const wholeOffer = {
  Nome_Prodotto: 'Crema viso',
  Descrizione: '',
  Categoria: 'Cosmetici',
  Codice_Minsan: null,
  Prezzo_Listino: 990,
  Prezzo_Offerta: 790,
  Prezzo_Precedente: null,
  Data_Inizio: '2026-03-10',
  Stato_Offerta: 'Attiva',
  URL_Immagine: '/product-placeholder.svg',
  CloudinaryID: null,
}

test('an offer is made, and the form is ready for the next one', async () => {
  const { user, api } = await openForm(formServer())
  await focused(field('Nome del prodotto'))
  fillIn()
  await user.click(button('Crea offerta'))
  const toast = (await screen.findByText('Offerta creata')).closest('li') ?? document.body
  expect(within(toast).getByText('I clienti la vedono già.')).toBeDefined()
  expect(sent(api, 'POST')).toEqual([asOne(wholeOffer)])
  expect(field('Nome del prodotto').value).toBe('')
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Categoria' }).value).toBe('')
  await focused(field('Nome del prodotto'))
  fireEvent.click(within(toast).getByRole('button', { name: 'Copia link' }))
  await screen.findByText('Link copiato')
  expect(await navigator.clipboard.readText()).toMatch(
    `${location.origin}/offers/PHARM-0001/0f0c6a0e-7a54-4b0a-9c39-6a5c0f6b`,
  )
})

test('Ctrl+Enter saves it, twice in a row makes one', async () => {
  const answer = deferred<ReturnType<typeof failure>>()
  const { user, api } = await openForm(formServer().on(createOffer, () => answer.promise))
  fillIn()
  await user.click(field('Nome del prodotto'))
  await user.keyboard('{Control>}{Enter}{Enter}{/Control}')
  expect(button('Salvataggio in corso…').getAttribute('aria-disabled')).toBe('true')
  await user.click(button('Salvataggio in corso…'))
  expect(sent(api, 'POST')).toHaveLength(1)
  await act(async () => answer.resolve(failure('internal')))
  expect(button('Crea offerta')).toBeDefined()
})

test('what is missing is said above, beside the fields, and by the focus', async () => {
  const { user, api } = await openForm(formServer())
  write('Prezzo di listino (€)', '9,90')
  await user.click(button('Crea offerta'))
  expect(await screen.findByText('Dati mancanti')).toBeDefined()
  expect(screen.getByText('Compila tutti i campi obbligatori')).toBeDefined()
  await focused(field('Nome del prodotto'))
  expect(field('Nome del prodotto').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Scegli una categoria.')).toBeDefined()
  expect(screen.getByText("Carica un'immagine per il prodotto")).toBeDefined()
  write('Nome del prodotto', 'Crema')
  await waitFor(() => expect(field('Nome del prodotto').getAttribute('aria-invalid')).toBeNull())
  expect(sent(api, 'POST')).toEqual([])
})

test('a wrong price is told once the field is left, and again above when it is saved', async () => {
  const { user, api } = await openForm(formServer())
  fillIn()
  for (const [price, text] of [
    ['dieci', 'I prezzi devono essere numeri validi'],
    ['1.234.567', 'Il prezzo non può superare 99.999,99 €'],
    ['0', 'I prezzi devono essere maggiori di zero'],
    ['9,91', 'Il prezzo in offerta non può essere maggiore del prezzo di listino'],
  ] as const) {
    write('Prezzo in offerta (€)', price)
    expect(screen.queryByText(text)).toBeNull()
    await user.tab()
    expect(screen.getByText(text)).toBeDefined()
  }
  await user.click(button('Crea offerta'))
  expect(await screen.findByText('Errore nei prezzi')).toBeDefined()
  expect(screen.getAllByText(/maggiore del prezzo di listino/)).toHaveLength(2)
  await focused(field('Prezzo in offerta (€)'))
  expect(sent(api, 'POST')).toEqual([])
})

test('a picture is wanted, or the placeholder by choice, and one on its way is waited for', async () => {
  const { user, api } = await openForm(formServer())
  const uploads = fakeUploads()
  fillIn()
  expect(source()).toContain('Predefinita')
  await user.click(button("Rimuovi l'immagine"))
  await user.click(button('Crea offerta'))
  expect(await screen.findByText('Immagine mancante')).toBeDefined()
  expect(screen.getAllByText("Carica un'immagine per il prodotto")).toHaveLength(2)
  await focused(screen.getByLabelText("Carica un'immagine"))
  expect(source()).toBeUndefined()
  await user.upload(screen.getByLabelText("Carica un'immagine"), pictureOf('jpeg', 'a.jpg'))
  const upload = await uploads.nth(1)
  await user.click(button('Crea offerta'))
  expect(await screen.findByText('Immagine in arrivo')).toBeDefined()
  expect(sent(api, 'POST')).toEqual([])
  await upload.answers(201, JSON.stringify(kept))
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  expect(sent(api, 'POST')).toEqual([
    asOne({ ...wholeOffer, URL_Immagine: kept.url, CloudinaryID: kept.publicId }),
  ])
})

test('a picture that arrives after a saving was refused is no longer missed', async () => {
  const answer = deferred<ReturnType<typeof failure>>()
  const { user } = await openForm(formServer().on(findProductImage, () => answer.promise))
  write('Codice prodotto (Minsan)', '012745093')
  await user.click(button('Cerca immagine'))
  await user.click(button('Crea offerta'))
  const missing = "Carica un'immagine per il prodotto"
  await screen.findByText(missing)
  answer.resolve(failure('product_images.not_found'))
  await waitFor(() => expect(source()).toContain('Predefinita'))
  await waitFor(() => expect(screen.queryByText(missing)).toBeNull())
})

test('a changed code asks for its own picture', async () => {
  const found = { source: 'cache' as const, image: kept }
  const { user } = await openForm(formServer().on(findProductImage, () => found))
  const uploads = fakeUploads()
  const asks = () => screen.queryByText(/^L'immagine è del codice di prima/)
  write('Codice prodotto (Minsan)', '012745093')
  await user.upload(screen.getByLabelText("Carica un'immagine"), pictureOf('jpeg', 'a.jpg'))
  await (await uploads.nth(1)).answers(201, JSON.stringify(kept))
  write('Codice prodotto (Minsan)', '0127')
  expect(asks()).toBeNull()
  write('Codice prodotto (Minsan)', '034208013')
  expect(asks()).not.toBeNull()
  await user.click(button('Tieni questa'))
  expect(asks()).toBeNull()
  write('Codice prodotto (Minsan)', '012745093')
  await user.click(button('Cerca la sua immagine'))
  await waitFor(() => expect(asks()).toBeNull())
})

test.each([
  ['stands in', 'knows no code', null, "Origine dell'immagine: Predefinita"],
  ['has no place', 'knows a code that was not taken yet', draft.minsan, undefined],
])('the placeholder %s where the assistant %s', async (_does, _what, minsan, expected) => {
  const { user } = await openForm(formServer().on(draftProduct, () => ({ ...draft, minsan })))
  write('Nome del prodotto', 'Crema viso')
  await user.click(button('Genera con AI'))
  await user.click(await screen.findByRole('button', { name: 'Usa la descrizione' }))
  expect(source()).toBe(expected)
})

test('a medicine is shown with name, picture and price alone', async () => {
  const api = formServer().on(draftProduct, () => draft)
  const { user } = await openForm(api)
  fillIn('Tachipirina')
  expect(within(preview()).getByText('Ordina via WhatsApp')).toBeDefined()
  chooseCategory('Farmaci da banco')
  expect(within(preview()).getByText('Prenota via WhatsApp')).toBeDefined()
  expect(screen.getByText(/^È un medicinale: il pubblico vede solo nome/)).toBeDefined()
  await user.click(button('Genera con AI'))
  await screen.findByText('Proposta per «Tachipirina»')
  expect(screen.queryByText(draft.description ?? '')).toBeNull()
  write('Codice prodotto (Minsan)', '934208014')
  await user.click(button('Crea offerta'))
  expect(await screen.findByText('Codice non valido')).toBeDefined()
  await focused(field('Codice prodotto (Minsan)'))
  write('Codice prodotto (Minsan)', '')
  await user.click(button('Crea offerta'))
  expect(
    await screen.findAllByText(/^Per pubblicare un medicinale serve il codice AIC/),
  ).toHaveLength(2)
  expect(sent(api, 'POST')).toEqual([])
  write('Codice prodotto (Minsan)', '012745093')
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
})

test('the code of a medicine makes it one in any category, and words of cure are warned of elsewhere', async () => {
  const { user } = await openForm(formServer())
  fillIn('Integratore')
  const claim = () => screen.queryByText(/^«cura il raffreddore» promette una cura/)
  write('Descrizione', 'Cura il raffreddore in un giorno')
  expect(claim()).not.toBeNull()
  expect(within(preview()).getByText('Ordina via WhatsApp')).toBeDefined()
  write('Codice prodotto (Minsan)', '012745093')
  expect(await screen.findByText(/^È un medicinale: il pubblico vede solo nome/)).toBeDefined()
  expect(within(preview()).getByText('Prenota via WhatsApp')).toBeDefined()
  expect(claim()).toBeNull()
  chooseCategory('Integratori')
  expect(screen.getByText(/Scegli una categoria di medicinali: in «Integratori»/)).toBeDefined()
  write('Codice prodotto (Minsan)', '')
  // It warns, and does not refuse.
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
})

const tachipirina: Medicine = {
  code: '012745093',
  name: 'TACHIPIRINA',
  pack: '500 mg compresse 20 compresse',
  supply: 'OTC',
  authorised: true,
}
const registerTime = '2026-03-10T03:07:00.000Z'

test('the register of medicines gives name and pack of a code', async () => {
  const api = formServer().on(findMedicine, () => ({ medicine: tachipirina, registerTime }))
  const { user } = await openForm(api)
  fillIn('Tachipirina')
  write('Codice prodotto (Minsan)', 'A012745093')
  expect(await screen.findByText('TACHIPIRINA 500 mg compresse 20 compresse · OTC')).toBeDefined()
  expect(screen.getByText('Registro AIFA (CC BY 4.0) del 10/03/2026.')).toBeDefined()
  expect(screen.queryByText(/^Il codice è di questa confezione/)).toBeNull()
  write('Nome del prodotto', 'Tachipirina 1000')
  expect(
    screen.getByText(/^Il codice è di questa confezione, ma nel nome c'è scritto «1000»/),
  ).toBeDefined()
  await user.click(button('Usa nome e confezione'))
  expect(field('Nome del prodotto').value).toBe('TACHIPIRINA 500 mg compresse 20 compresse')
  expect(document.activeElement).toBe(button('Usa nome e confezione'))
  expect(button('Usa nome e confezione').getAttribute('aria-disabled')).toBe('true')
})

test('a medicine that needs a prescription is told, and is not sent', async () => {
  const medicine: Medicine = { ...tachipirina, name: 'DEURSIL', supply: 'RR' }
  const api = formServer().on(findMedicine, () => ({ medicine, registerTime }))
  const { user } = await openForm(api)
  fillIn('Deursil')
  write('Codice prodotto (Minsan)', '012745093')
  expect(await screen.findByText(/^Questo medicinale richiede la ricetta/)).toBeDefined()
  expect(within(preview()).getByText(/^I clienti non la vedranno/)).toBeDefined()
  expect(screen.queryByText(/^È un medicinale/)).toBeNull()
  await user.click(button('Crea offerta'))
  await screen.findByText('Non si può pubblicare')
  await focused(field('Codice prodotto (Minsan)'))
  expect(sent(api, 'POST')).toEqual([])
})

test.each([
  ['012745093', registerTime, /^Codice non conosciuto: non è nel registro/],
  ['012745093', null, /^Il registro AIFA non è ancora disponibile/],
  ['105070015', registerTime, /^È il codice di un medicinale veterinario/],
])('a code that is not known is said to be so, and saved: %s, %j', async (code, time, text) => {
  const api = formServer().on(findMedicine, () => ({ medicine: null, registerTime: time }))
  const { user } = await openForm(api)
  fillIn('Crema')
  write('Codice prodotto (Minsan)', code)
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.getByText(/^È un medicinale: il pubblico vede solo nome/)).toBeDefined()
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
})

const declared = { name: 'Il prezzo di listino è stato praticato negli ultimi 30 giorni?' }

test('without a history customers see no discount until the pharmacy says that the list price was charged', async () => {
  const { user, api } = await openForm(formServer())
  fillIn()
  expect(await screen.findByText('Prodotto in evidenza (nessuno sconto)')).toBeDefined()
  expect(screen.getByText(/^Per mostrare lo sconto serve sapere che il prezzo/)).toBeDefined()
  expect(within(preview()).getByText('In Evidenza')).toBeDefined()
  await user.click(await screen.findByRole('checkbox', declared))
  expect(await screen.findByText('Offerta con sconto del 20%')).toBeDefined()
  expect(within(preview()).getByText('-20%')).toBeDefined()
  expect(plain(preview())).toContain('Prezzo più basso degli ultimi 30 giorni: 9,90 €')
  // A price above the list price is not shown, and equal prices are no discount.
  write('Prezzo in offerta (€)', '12')
  expect(plain(preview())).not.toContain('12,00 €')
  write('Prezzo in offerta (€)', '9,90')
  expect(screen.getByText('Prodotto in evidenza (nessuno sconto)')).toBeDefined()
  write('Prezzo in offerta (€)', '7,90')
  expect(plain(preview())).toContain('7,90 €')
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  expect(sent(api, 'POST')).toEqual([asOne({ ...wholeOffer, Prezzo_Precedente: 990 })])
})

test('what was said of the list price goes on when the list price is corrected, and can be taken back', async () => {
  const { user, api } = await openForm(formServer())
  fillIn()
  await user.click(await screen.findByRole('checkbox', declared))
  write('Prezzo di listino (€)', '11')
  expect(await screen.findByText('Offerta con sconto del 28%')).toBeDefined()
  await user.click(screen.getByRole('checkbox', declared))
  expect(await screen.findByText('Prodotto in evidenza (nessuno sconto)')).toBeDefined()
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  const corrected = { ...wholeOffer, Prezzo_Listino: 1_100, Prezzo_Precedente: null }
  expect(sent(api, 'POST')).toEqual([asOne(corrected)])
})

test('a list price that was far lower and another price of the product warn, and are saved all the same', async () => {
  const warning = { ...usualPrices, raisedFrom: 200, otherPrice: 300 }
  const { user } = await openForm(formServer().on(checkOfferPrice, () => warning))
  fillIn()
  write('Prezzo in offerta (€)', '9,90')
  expect(await screen.findByText(/^Il prezzo di listino di questo prodotto era 2,00/)).toBeDefined()
  expect(screen.getByText(/^Lo stesso prodotto è già in un'altra offerta attiva/)).toBeDefined()
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
})

test('a product that was cheaper before has no discount, and a known history is not declared', async () => {
  const api = formServer().on(checkOfferPrice, () => ({
    ...usualPrices,
    prior: { cents: 700, declared: false },
  }))
  await openForm(api)
  fillIn()
  expect(await screen.findByText('Prodotto in evidenza (nessuno sconto)')).toBeDefined()
  expect(screen.getByText(/I clienti lo vedranno «In Evidenza»\.$/)).toBeDefined()
  expect(screen.getByText('· dallo storico')).toBeDefined()
  expect(within(preview()).getByText('In Evidenza')).toBeDefined()
  expect(screen.queryByRole('textbox', { name: /ultimi 30 giorni/ })).toBeNull()
})

test('prices that cannot be checked can be checked again, and the offer saved all the same', async () => {
  const api = formServer().on(checkOfferPrice, () => failure('internal'))
  const { user } = await openForm(api)
  fillIn()
  expect(await screen.findByText(/^Non è stato possibile controllare i prezzi/)).toBeDefined()
  api.on(checkOfferPrice, () => ({
    ...usualPrices,
    prior: { cents: 800, declared: false },
  }))
  await user.click(button('Riprova'))
  expect(await screen.findByText('Offerta con sconto del 1%')).toBeDefined()
})

test('at the limit it can be saved as inactive', async () => {
  const api = formServer().on(createOffer, ({ body: { fields } }) =>
    fields.Stato_Offerta === 'Attiva'
      ? failure('offers.limit_reached')
      : offer(1, { Stato_Offerta: 'Inattiva' }),
  )
  const { user } = await openForm(api)
  fillIn()
  await user.click(button('Crea offerta'))
  const alert = (await screen.findByText("Impossibile salvare l'offerta.")).closest('[role=alert]')
  expect(alert?.textContent).toContain('Hai raggiunto il numero massimo di offerte attive')
  await user.click(button('Salva come inattiva'))
  expect(await screen.findByText('È inattiva: i clienti non la vedono.')).toBeDefined()
  expect(sent(api, 'POST')[1]).toEqual(asOne({ ...wholeOffer, Stato_Offerta: 'Inattiva' }))
})

test('a failure of the server loses nothing, and what it says of a field stands beside it until it is mended', async () => {
  const api = formServer().on(createOffer, () => rawReply('bad gateway', 502))
  const { user } = await openForm(api)
  fillIn()
  await user.click(button('Crea offerta'))
  expect(await screen.findByText("Impossibile salvare l'offerta. Riprova più tardi.")).toBeDefined()
  expect(
    screen.getByText('Il servizio non è disponibile in questo momento. Riprova tra poco.'),
  ).toBeDefined()
  expect(field('Nome del prodotto').value).toBe('Crema viso')
  api.on(createOffer, () => failure('offers.wrong_code'))
  const code = field('Codice prodotto (Minsan)')
  fill(code, '934208014')
  await user.click(button('Crea offerta'))
  await focused(code)
  expect(code.getAttribute('aria-invalid')).toBe('true')
  fill(code, '012745093')
  await waitFor(() => expect(code.getAttribute('aria-invalid')).toBeNull())
})
