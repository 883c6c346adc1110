import { importImage, removeImage, type UploadedImage } from '@bancone/contract/images'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { fakeObjectUrls, keptPicture, pictureOf } from '../../../test/fake-pictures.ts'
import { fakeUploads } from '../../../test/fake-uploads.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderPart, signedIn } from '../../../test/render-part.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import type { ChosenImage } from './chosen-image.ts'
import { ImageField } from './image-field.tsx'

const before: ChosenImage = { ...keptPicture(7), source: 'cache' }

/** A form with a picture beside other fields. */
function Form({ start }: { start: ChosenImage | null }) {
  const [form, setForm] = useState({ image: start, name: '' })
  const show = (image: ChosenImage | null) => setForm({ ...form, image })
  return (
    <>
      <ImageField label="Immagine" alt="La confezione" value={form.image} onChange={show} />
      <input
        aria-label="Nome"
        value={form.name}
        onChange={({ target }) => setForm({ ...form, name: target.value })}
      />
      <button type="button" onClick={() => show({ ...keptPicture(8), source: 'cache' })}>
        Cerca
      </button>
    </>
  )
}

function open(start: ChosenImage | null = null) {
  const api = serverWith([])
  const urls = fakeObjectUrls()
  const uploads = fakeUploads()
  signedIn(api)
  const view = renderPart(<Form start={start} />)
  return { ...view, api, urls, uploads, user: userEvent.setup({ applyAccept: false }) }
}

const chooser = () =>
  screen.getByLabelText<HTMLInputElement>(/^(Carica un'immagine|Cambia immagine)$/)
const field = () => screen.getByRole('group', { name: 'Immagine' })
const bar = () => screen.getByRole('progressbar', { name: "Caricamento dell'immagine" })
const shown = () => field().querySelector('img:not([data-preview])')?.getAttribute('src') ?? null
const preview = () => field().querySelector('img[data-preview]')
const source = () => field().querySelector('[data-source]')?.textContent
const photo = pictureOf('jpeg', 'foto.jpg')

test('a file that is chosen is seen at once, with its progress, and then kept', async () => {
  const { user, uploads, urls } = open()
  expect(source()).toContain('Predefinita')
  await user.upload(chooser(), photo)
  expect(preview()).not.toBeNull()
  const sent = await uploads.nth(1)
  expect(sent.file).toBe(photo)
  sent.sends(0.42)
  expect(bar().getAttribute('aria-valuenow')).toBe('42')
  expect(screen.getByText('42%')).toBeDefined()
  await sent.hasSent()
  expect(screen.getByText('Elaborazione…')).toBeDefined()
  expect(bar().getAttribute('aria-valuenow')).toBeNull()
  await sent.answers(201, JSON.stringify(keptPicture(1)))
  expect(shown()).toBe('/images/a_1/0123/product')
  expect(source()).toContain('Caricata da te')
  expect(await screen.findByText('Immagine caricata')).toBeDefined()
  expect(screen.getByText("L'immagine è stata caricata con successo")).toBeDefined()
  // The file stays in its place until the kept picture is there.
  expect(urls.size).toBe(1)
  const image = field().querySelector('img:not([data-preview])')
  if (image) fireEvent.load(image)
  expect(preview()).toBeNull()
  expect(urls.size).toBe(0)
})

test('a file that the browser cannot show stays out of sight, and what was there is seen', async () => {
  const { user, uploads } = open(before)
  await user.upload(chooser(), photo)
  const sent = await uploads.nth(1)
  const picture = preview()
  if (picture) fireEvent.error(picture)
  expect(preview()?.closest('.invisible')).not.toBeNull()
  await sent.answers(201, JSON.stringify(keptPicture(1)))
  expect(preview()?.closest('.invisible')).not.toBeNull()
})

test('what was typed while it was on its way is not lost', async () => {
  const { user, uploads } = open()
  await user.upload(chooser(), photo)
  const sent = await uploads.nth(1)
  await user.type(screen.getByRole('textbox', { name: 'Nome' }), 'Crema')
  await sent.answers(201, JSON.stringify(keptPicture(1)))
  expect(shown()).toBe('/images/a_1/0123/product')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Nome' }).value).toBe('Crema')
})

test('a failure brings the picture of before back, and the same file can be sent again', async () => {
  // As in Chromium, which returns a promise.
  const scroll: () => unknown = () => Promise.resolve()
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(scroll)
  const { user, uploads, urls } = open(before)
  await user.upload(chooser(), photo)
  await (await uploads.nth(1)).breaks()
  const alert = screen.getByRole('alert')
  // A form may cover it with its bar of buttons.
  expect(scrolled.mock.contexts).toEqual([alert.parentElement])
  expect(alert.textContent).toContain('Errore')
  expect(alert.textContent).toContain("Impossibile caricare l'immagine")
  expect(preview()).toBeNull()
  expect(urls.size).toBe(0)
  expect([shown(), source()]).toEqual([
    '/images/a_7/0123/product',
    expect.stringContaining("Dall'archivio"),
  ])
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  const again = await uploads.nth(2)
  expect(again.file).toBe(photo)
  await focused(chooser())
  await again.answers(201, JSON.stringify(keptPicture(1)))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(shown()).toBe('/images/a_1/0123/product')
})

test.each([
  ['images.too_large', 'File troppo grande', "L'immagine non deve superare i 5MB"],
  ['images.not_a_picture', 'Formato non supportato', 'Carica solo file immagine (JPG, PNG, WEBP)'],
] as const)('what the server finds out itself (%s) is said as here', async (code, title, text) => {
  const { user, uploads } = open()
  await user.upload(chooser(), photo)
  await (await uploads.nth(1)).refuses(code)
  expect(screen.getByText(title)).toBeDefined()
  expect(screen.getByText(text)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Riprova' })).toBeNull()
})

test.each([
  {
    what: 'what is no picture',
    file: pictureOf('pdf', 'ricetta.jpg'),
    title: 'Formato non supportato',
    text: 'Carica solo file immagine (JPG, PNG, WEBP)',
  },
  {
    what: 'what is too large',
    file: pictureOf('png', 'a.png', 5 * 1024 * 1024 + 1),
    title: 'File troppo grande',
    text: "L'immagine non deve superare i 5MB",
  },
  {
    what: 'what this browser cannot read',
    file: pictureOf('heic', 'IMG_1.HEIC'),
    title: 'Formato non supportato',
    text: /HEIC di iPhone/,
  },
])('$what is refused before it is sent', async ({ file, title, text }) => {
  const { user, uploads } = open(before)
  await user.upload(chooser(), file)
  expect(await screen.findByText(title)).toBeDefined()
  expect(screen.getByText(text)).toBeDefined()
  expect(uploads.opened).toEqual([])
  expect(preview()).toBeNull()
  expect(shown()).toBe('/images/a_7/0123/product')
})

test('while it is sent it can be given up, and nothing has changed', async () => {
  const { user, uploads, urls } = open(before)
  await user.upload(chooser(), photo)
  const sent = await uploads.nth(1)
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  expect(sent.aborted).toBe(true)
  expect(screen.queryByRole('alert')).toBeNull()
  expect([urls.size, shown()]).toEqual([0, '/images/a_7/0123/product'])
  await focused(chooser())
})

test('who leaves the page gives it up too', async () => {
  const { user, uploads, urls, unmount } = open()
  await user.upload(chooser(), photo)
  const sent = await uploads.nth(1)
  unmount()
  expect(sent.aborted).toBe(true)
  expect(urls.size).toBe(0)
})

test('where fingers are used a photo can be taken', async () => {
  const matches = window.matchMedia
  window.matchMedia = (query) =>
    Object.assign(matches(query), { matches: query === '(pointer: coarse)' })
  const { user, uploads } = open()
  const camera = screen.getByLabelText<HTMLInputElement>('Scatta una foto')
  expect([camera.accept, camera.getAttribute('capture')]).toEqual(['image/*', 'environment'])
  await user.upload(camera, photo)
  expect((await uploads.nth(1)).file).toBe(photo)
})

test('a second file takes the place of the first', async () => {
  const { user, uploads } = open()
  await user.upload(chooser(), photo)
  const first = await uploads.nth(1)
  await user.upload(chooser(), pictureOf('png', 'b.png'))
  const second = await uploads.nth(2)
  expect(first.aborted).toBe(true)
  await second.answers(201, JSON.stringify(keptPicture(2)))
  expect(shown()).toBe('/images/a_2/0123/product')
})

const files = (...given: File[]) => ({ types: ['Files'], files: given, getData: () => '' })
const link = (url: string) => ({
  types: ['text/uri-list', 'text/plain'],
  files: [],
  getData: () => url,
})

test('a file is dropped on it, which shows that it would take it', async () => {
  const { uploads } = open()
  fireEvent.dragEnter(field(), { dataTransfer: files() })
  expect(screen.getByText("Lascia qui l'immagine")).toBeDefined()
  fireEvent.dragLeave(field(), { relatedTarget: document.body })
  expect(screen.queryByText("Lascia qui l'immagine")).toBeNull()
  fireEvent.dragEnter(field(), { dataTransfer: files() })
  expect(fireEvent.drop(field(), { dataTransfer: files(photo) })).toBe(false)
  expect(screen.queryByText("Lascia qui l'immagine")).toBeNull()
  expect((await uploads.nth(1)).file).toBe(photo)
})

test('what is dropped beside it does not open in the place of the page', () => {
  const { uploads } = open()
  expect(fireEvent.drop(document.body, { dataTransfer: files(photo) })).toBe(false)
  expect(uploads.opened).toEqual([])
})

test('the picture that is there is not dragged onto its own place', async () => {
  const { user, uploads } = open(before)
  await user.upload(chooser(), photo)
  await uploads.nth(1)
  const pictures = [...field().querySelectorAll('img')]
  expect(pictures.map((picture) => picture.getAttribute('draggable'))).toEqual(['false', 'false'])
})

test('an address that is dropped into a field stays there, and a file does not', () => {
  open()
  const name = screen.getByRole('textbox', { name: 'Nome' })
  expect(fireEvent.drop(name, { dataTransfer: link('https://example.it/a.jpg') })).toBe(true)
  expect(fireEvent.drop(name, { dataTransfer: files(photo) })).toBe(false)
})

test('a picture is pasted anywhere on the page', async () => {
  const { uploads } = open()
  fireEvent.paste(document.body, { clipboardData: files(photo) })
  expect((await uploads.nth(1)).file).toBe(photo)
})

test('but not under a dialog', () => {
  const { container, uploads } = open()
  container.setAttribute('aria-hidden', 'true')
  expect(fireEvent.paste(document.body, { clipboardData: files(photo) })).toBe(true)
  expect(uploads.opened).toEqual([])
})

test('a text that is pasted into a field stays there, even with a picture of it', () => {
  const { uploads, api } = open()
  const name = screen.getByRole('textbox', { name: 'Nome' })
  const word = { types: [], files: [photo], getData: () => 'https://example.it/a.jpg' }
  expect(fireEvent.paste(name, { clipboardData: word })).toBe(true)
  expect(uploads.opened).toEqual([])
  expect(api.requests).toEqual([])
})

test('the address of a picture that is pasted or dropped is fetched by the server', async () => {
  const { api } = open()
  const asked: string[] = []
  api.on(importImage, ({ body: { url } }) => {
    asked.push(url)
    return keptPicture(asked.length)
  })
  fireEvent.paste(document.body, { clipboardData: link('https://example.it/a.jpg') })
  await waitFor(() => expect(shown()).toBe('/images/a_1/0123/product'))
  fireEvent.drop(field(), { dataTransfer: link('https://example.it/b.jpg') })
  await waitFor(() => expect(shown()).toBe('/images/a_2/0123/product'))
  expect(asked).toEqual(['https://example.it/a.jpg', 'https://example.it/b.jpg'])
})

test('an address is typed; what is none is said before it is sent, and can be mended after', async () => {
  const { user, api } = open()
  api.on(importImage, () => failure('images.not_reached'))
  await user.click(screen.getByRole('button', { name: 'Da un link' }))
  const address = await screen.findByRole('textbox', { name: "Indirizzo dell'immagine" })
  await focused(address)
  await user.keyboard('foto.jpg{Enter}')
  expect(await screen.findByText(/comincia con https/)).toBeDefined()
  expect(api.requests).toEqual([])
  await user.clear(address)
  await user.type(address, 'https://example.it/a.jpg{Enter}')
  expect(await screen.findByText(/non c'è un'immagine che si possa usare/)).toBeDefined()
  await focused(screen.getByRole('button', { name: 'Da un link' }))
  await user.keyboard('{Enter}')
  expect(await screen.findByDisplayValue('https://example.it/a.jpg')).toBeDefined()
})

test('an import can be given up as well', async () => {
  const { user, api } = open()
  const answer = deferred<UploadedImage>()
  api.on(importImage, () => answer.promise)
  fireEvent.paste(document.body, { clipboardData: link('https://example.it/a.jpg') })
  expect(await screen.findByText("Recupero dell'immagine…")).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await act(async () => answer.resolve(keptPicture(1)))
  expect(shown()).toBeNull()
})

test('a picture is taken away, with a way back', async () => {
  const { user, api } = open({ ...keptPicture(3), source: 'manual' })
  await user.click(screen.getByRole('button', { name: "Rimuovi l'immagine" }))
  expect(shown()).toBeNull()
  await focused(screen.getByRole('button', { name: 'Annulla' }))
  await user.keyboard('{Enter}')
  expect(shown()).toBe('/images/a_3/0123/product')
  await focused(chooser())
  expect(api.requests).toEqual([])
})

test('there is no way back to it once another is in its place, wherever that came from', async () => {
  const { user } = open(before)
  await user.click(screen.getByRole('button', { name: "Rimuovi l'immagine" }))
  await user.click(screen.getByRole('button', { name: 'Cerca' }))
  expect(shown()).toBe('/images/a_8/0123/product')
  expect(screen.queryByRole('button', { name: 'Annulla' })).toBeNull()
})

test('it cannot be taken away while another is on its way, and the button keeps the focus', async () => {
  const { uploads } = open(before)
  const remove = screen.getByRole('button', { name: "Rimuovi l'immagine" })
  remove.focus()
  fireEvent.paste(remove, { clipboardData: files(photo) })
  await uploads.nth(1)
  expect([inactive(remove), document.activeElement]).toEqual([true, remove])
})

test.each([
  [{ ...keptPicture(3), source: 'manual' } as const, ['DELETE /api/images/a_3']],
  // Those of the archive are for other pharmacies too.
  [before, []],
])('and is removed when that is over, if it was sent here', async (image, expected) => {
  const { user, api, unmount } = open(image)
  api.on(removeImage, () => ({}))
  await user.click(screen.getByRole('button', { name: "Rimuovi l'immagine" }))
  unmount()
  const sent = () => api.requests.map(({ method, path }) => `${method} ${path}`)
  await waitFor(() => expect(sent()).toEqual(expected))
  // Long enough for what must not be sent.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent()).toEqual(expected)
})

test('a picture that does not come has something in its place', () => {
  open(before)
  const image = field().querySelector('img')
  if (image) fireEvent.error(image)
  expect(screen.getByText('Immagine non disponibile')).toBeDefined()
})
