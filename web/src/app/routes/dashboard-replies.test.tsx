import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  type ReplyText,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { order } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const giulia = order(7, { Cliente: 'Giulia', 'Phone Number': '333 123 4567', Ordine: 'Cerotti' })

function reply(n: number, title: string, text: string): ReplyText {
  return { id: `00000000-0000-4000-8000-00000000000${n}`, title, text }
}

function serverWithTexts(...first: ReplyText[]) {
  const state = { texts: first, made: first.length }
  const api = serverWith([giulia])
    .on(listReplyTexts, () => ({ texts: state.texts }))
    .on(addReplyText, ({ body }) => {
      state.made += 1
      const made = reply(state.made, body.title, body.text)
      state.texts = [...state.texts, made]
      return made
    })
    .on(changeReplyText, ({ params, body }) => {
      const former = state.texts.find(({ id }) => id === params.textId)
      if (!former) return failure('reply_texts.not_found')
      const changed = { ...former, title: body.title ?? '', text: body.text ?? '' }
      state.texts = state.texts.map((each) => (each === former ? changed : each))
      return changed
    })
    .on(removeReplyText, ({ params }) => {
      state.texts = state.texts.filter(({ id }) => id !== params.textId)
      return {}
    })
  return { api, state }
}

async function openPanel(...texts: ReplyText[]) {
  const server = serverWithTexts(...texts)
  const view = await openDetails(server.api, 7)
  await view.user.click(await screen.findByRole('button', { name: 'WhatsApp' }))
  await screen.findByRole('region', { name: 'Scrivi su WhatsApp' })
  return { ...server, ...view }
}

async function openEditor(...texts: ReplyText[]) {
  const view = await openPanel(...texts)
  await screen.findByRole('textbox', { name: 'Messaggio' })
  await view.user.click(screen.getByRole('button', { name: 'Modifica testi' }))
  await screen.findByRole('region', { name: 'Testi per i clienti' })
  return view
}

const message = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Messaggio' })
const link = () => screen.getByRole('link', { name: /^Scrivi su WhatsApp/ })
const sent = () => new URL(link().getAttribute('href') ?? '')

test('that an order has no number yet is said before a customer reads a code', async () => {
  const bare = order(8, { 'Phone Number': '333 123 4567' })
  delete bare.fields['ID Ordine']
  const { user } = await openDetails(
    serverWith([bare]).on(listReplyTexts, () => ({
      texts: [reply(1, 'Pronto', 'Il n. {numero}')],
    })),
    bare.id,
  )
  await user.click(await screen.findByRole('button', { name: 'WhatsApp' }))
  expect((await message()).value).toBe(`Il n. ${bare.id}`)
  expect(screen.getByText(/non ha ancora un numero/)).toBeDefined()
  await user.clear(await message())
  expect(screen.queryByText(/non ha ancora un numero/)).toBeNull()
})

test('the number can be called and written to', async () => {
  const { dialog } = await openDetails(serverWithTexts().api, 7)
  expect(within(dialog).getByRole('link', { name: 'Chiama' }).getAttribute('href')).toBe(
    'tel:+393331234567',
  )
  const write = within(dialog).getByRole('button', { name: 'WhatsApp' })
  expect(write.getAttribute('aria-expanded')).toBe('false')
})

test('a number that cannot be parsed is shown without a link', async () => {
  const odd = order(1, { 'Phone Number': 'chiamare la sera' })
  const { dialog } = await openDetails(serverWith([odd]), 1)
  expect(within(dialog).getByText(/chiamare la sera/)).toBeDefined()
  expect(within(dialog).getByText(/^Numero non riconosciuto/)).toBeDefined()
  expect(within(dialog).queryByRole('link')).toBeNull()
  expect(within(dialog).queryByRole('button', { name: 'WhatsApp' })).toBeNull()
})

test('a text of the pharmacy is filled in, can be changed, and is handed to WhatsApp or copied', async () => {
  const { user } = await openPanel(
    reply(1, 'Pronto', 'Ciao {nome}, n. {numero}'),
    reply(2, 'Altro', 'Per {nome}'),
  )
  expect((await message()).value).toBe('Ciao Giulia, n. 7')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Testo da usare' }), 'Altro')
  await user.type(await message(), ' & co.')
  expect(sent().origin + sent().pathname).toBe('https://wa.me/393331234567')
  expect(sent().searchParams.get('text')).toBe('Per Giulia & co.')
  expect([link().getAttribute('target'), link().getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Testo da usare' }), 'Pronto')
  expect((await message()).value).toBe('Ciao Giulia, n. 7')
  await user.click(screen.getByRole('button', { name: 'Copia testo' }))
  expect(await screen.findByText('Testo copiato')).toBeDefined()
  expect(await navigator.clipboard.readText()).toBe('Ciao Giulia, n. 7')
})

test('a pharmacy without texts has suggestions to begin with, and none says what was ordered', async () => {
  const { user, state } = await openPanel()
  const choice = await screen.findByRole('combobox', { name: 'Testo da usare' })
  const titles = within(choice)
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
  expect(titles).toEqual(['Ordine confermato', 'Pronto per il ritiro', 'Non disponibile'])
  expect((await message()).value).toMatch(/^Gentile Giulia, il Suo ordine n\. 7 /)
  expect(sent().href).not.toContain('Cerotti')
  await user.click(screen.getByRole('button', { name: 'Modifica testi' }))
  await user.click(await screen.findByRole('button', { name: 'Parti dagli esempi' }))
  await screen.findByRole('button', { name: 'Modifica il testo «Non disponibile»' })
  expect(state.texts.map(({ title }) => title)).toEqual(titles)
})

test('a message can be written also when the texts cannot be read', async () => {
  const { api } = serverWithTexts()
  let fails = true
  api.on(listReplyTexts, () =>
    fails ? failure('internal') : { texts: [reply(1, 'Pronto', 'Ciao {nome}')] },
  )
  const { user } = await openDetails(api, 7)
  await user.click(await screen.findByRole('button', { name: 'WhatsApp' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('I testi della farmacia non si sono caricati.')
  expect((await message()).value).toMatch(/^Gentile Giulia/)
  fails = false
  await user.click(within(alert).getByRole('button', { name: 'Riprova' }))
  await waitFor(async () => expect((await message()).value).toBe('Ciao Giulia'))
})

test('a text is added, with its placeholders put where the cursor is; an empty one is refused', async () => {
  const { user, state } = await openEditor()
  await user.click(screen.getByRole('button', { name: 'Nuovo testo' }))
  await focused(screen.getByRole('textbox', { name: 'Titolo' }))
  await user.click(screen.getByRole('button', { name: 'Salva testo' }))
  expect(await screen.findByText('Scrivi un titolo')).toBeDefined()
  expect(screen.getByText('Scrivi il testo')).toBeDefined()
  fill(screen.getByRole('textbox', { name: 'Titolo' }), 'Saluto')
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Testo' })
  fill(area, 'Al {telefono}')
  expect(await screen.findByText(/^\{telefono\}: non è un segnaposto/)).toBeDefined()
  expect(state.texts).toEqual([])
  fill(area, 'Ciao , a presto')
  area.setSelectionRange(5, 5)
  await user.click(screen.getByRole('button', { name: 'Nome del cliente' }))
  expect(area.value).toBe('Ciao {nome}, a presto')
  await focused(area)
  await user.click(screen.getByRole('button', { name: 'Salva testo' }))
  expect(await screen.findByText('Saluto')).toBeDefined()
  expect(state.texts.map(({ text }) => text)).toEqual(['Ciao {nome}, a presto'])
  await user.click(screen.getByRole('button', { name: 'Fine' }))
  expect((await message()).value).toBe('Ciao Giulia, a presto')
})

test('a text is changed in its place, and an error keeps what was written', async () => {
  const { user, api, state } = await openEditor(reply(1, 'Pronto', 'Ciao'))
  await user.click(screen.getByRole('button', { name: 'Modifica il testo «Pronto»' }))
  await focused(screen.getByRole('textbox', { name: 'Titolo' }))
  const title = screen.getByRole<HTMLInputElement>('textbox', { name: 'Titolo' })
  await user.clear(title)
  fill(title, 'Arrivato')
  api.on(changeReplyText, () => failure('reply_texts.not_found'))
  await user.click(screen.getByRole('button', { name: 'Salva testo' }))
  expect(await screen.findByText("Il testo non c'è più.")).toBeDefined()
  expect(title.value).toBe('Arrivato')
  api.on(changeReplyText, ({ body }) => {
    state.texts = [reply(1, body.title ?? '', body.text ?? '')]
    return state.texts[0] ?? failure('reply_texts.not_found')
  })
  await user.click(screen.getByRole('button', { name: 'Salva testo' }))
  await focused(await screen.findByRole('button', { name: 'Modifica il testo «Arrivato»' }))
})

test('a text is deleted when that is no more to be undone', async () => {
  const { user, state } = await openEditor(reply(1, 'Pronto', 'Ciao'), reply(2, 'Altro', 'Sì'))
  await user.click(screen.getByRole('button', { name: 'Elimina il testo «Pronto»' }))
  await user.click(await screen.findByRole('button', { name: 'Annulla' }))
  await focused(await screen.findByRole('button', { name: 'Modifica il testo «Pronto»' }))
  await user.click(screen.getByRole('button', { name: 'Elimina il testo «Pronto»' }))
  expect(await screen.findByText('Testo eliminato')).toBeDefined()
  expect(state.texts).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Fine' }))
  await waitFor(() => expect(state.texts.map(({ title }) => title)).toEqual(['Altro']))
})
