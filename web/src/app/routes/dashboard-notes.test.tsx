import {
  addOrderNote,
  changeOrderNote,
  getOrder,
  NOTE_LENGTH,
  type OrderNote,
  removeOrderNote,
} from '@bancone/contract/order-details'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { detailsOf, order } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { openDetails } from '../../../test/open-details.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const one = order(1)
const me = { name: 'Farmacia San Carlo', you: true, here: true }

function note(n: number, text: string, traits: Partial<OrderNote> = {}): OrderNote {
  const id = `00000000-0000-4000-8000-00000000000${n}`
  return { id, text, who: me, at: `2026-01-01T09:0${n}:00Z`, changedAt: null, ...traits }
}

/** A server that keeps the notes of the first order. */
function serverWithNotes(...first: OrderNote[]) {
  const state = { notes: first }
  const api = serverWith([one])
    .on(getOrder, () => detailsOf(one, { notes: state.notes }))
    .on(addOrderNote, ({ body }) => {
      const made = note(state.notes.length + 1, body.text)
      state.notes = [...state.notes, made]
      return made
    })
    .on(changeOrderNote, ({ params, body }) => {
      const former = state.notes.find(({ id }) => id === params.noteId)
      if (!former) return failure('orders.note_not_found')
      const changed = { ...former, text: body.text, changedAt: '2026-01-01T10:00:00Z' }
      state.notes = state.notes.map((each) => (each === former ? changed : each))
      return changed
    })
    .on(removeOrderNote, ({ params }) => {
      state.notes = state.notes.filter(({ id }) => id !== params.noteId)
      return {}
    })
  return { api, state }
}

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Nuova nota' })
const section = () => screen.findByRole('region', { name: 'Note private' })
const texts = async () =>
  within(await section())
    .queryAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent)
const kept = () => sessionStorage.getItem('bancone-drafts') ?? ''

test('notes are listed oldest first, with who wrote them', async () => {
  const maria = { name: 'Maria', you: false, here: false }
  const changed = note(2, 'Seconda', { who: maria, changedAt: '2026-01-01T10:00:00Z' })
  const { api } = serverWithNotes(note(1, 'Prima'), changed)
  await openDetails(api, 1)
  expect(await texts()).toEqual(['Prima', 'Seconda'])
  expect(
    within(await section()).getByText(/e il cliente se chiede una copia dei suoi dati$/),
  ).toBeDefined()
  const [, second] = within(await section()).getAllByRole('listitem')
  expect(second?.textContent).toContain('Maria · 01/01/2026 10:02 · modificata')
})

test('a note is added by its button, and by Ctrl+Enter', async () => {
  const { api, state } = serverWithNotes()
  const { user } = await openDetails(api, 1)
  await user.type(await field(), '  Chiamare dopo le 18 ')
  await user.click(screen.getByRole('button', { name: 'Salva nota' }))
  await waitFor(async () => expect(await texts()).toEqual(['Chiamare dopo le 18']))
  expect([(await field()).value, kept()]).toEqual(['', expect.not.stringContaining('Chiamare')])
  await focused(await field())
  await user.keyboard('Seconda{Enter}riga{Control>}{Enter}{/Control}')
  await waitFor(async () => expect(await texts()).toEqual(['Chiamare dopo le 18', 'Seconda\nriga']))
  expect(state.notes.map(({ text }) => text)).toEqual(['Chiamare dopo le 18', 'Seconda\nriga'])
})

test('an empty note, and one that is too long, cannot be saved', async () => {
  const { api, state } = serverWithNotes()
  const { user } = await openDetails(api, 1)
  const area = await field()
  fireEvent.change(area, { target: { value: '   ' } })
  expect(inactive(screen.getByRole('button', { name: 'Salva nota' }))).toBe(true)
  fireEvent.change(area, { target: { value: 'a'.repeat(NOTE_LENGTH - 3) } })
  expect(within(await section()).getByText(`${NOTE_LENGTH - 3}/${NOTE_LENGTH}`)).toBeDefined()
  fireEvent.change(area, { target: { value: 'a'.repeat(NOTE_LENGTH + 2) } })
  expect(within(await section()).getByText('2 caratteri di troppo')).toBeDefined()
  area.focus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(state.notes).toEqual([])
})

test('what is being written survives an error, the end of the details and a reload', async () => {
  const { api } = serverWithNotes()
  api.on(addOrderNote, () => failure('orders.too_many_notes'))
  const { user, opener } = await openDetails(api, 1)
  fill(await field(), 'Da non perdere')
  await user.click(screen.getByRole('button', { name: 'Salva nota' }))
  expect(await screen.findByText(/^Questo ordine ha già 50 note/)).toBeDefined()
  expect((await field()).value).toBe('Da non perdere')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(opener)
  expect((await field()).value).toBe('Da non perdere')
  expect(kept()).toContain('Da non perdere')
})

test('it goes with the session', async () => {
  const { api } = serverWithNotes()
  const { user } = await openDetails(api, 1, renderApp)
  fill(await field(), 'Segreta')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  await screen.findByRole('heading', { name: 'Accedi' })
  expect(kept()).toBe('')
})

test('a note is changed in its place, or left as it was when that is given up', async () => {
  const { api, state } = serverWithNotes(note(1, 'Prima'), note(2, 'Seconda'))
  const { user } = await openDetails(api, 1)
  await user.click(await screen.findByRole('button', { name: 'Modifica la nota 1' }))
  fill(await screen.findByRole('textbox', { name: 'Nota 1' }), 'Prima e poi')
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  expect([await texts(), kept()]).toEqual([
    ['Prima', 'Seconda'],
    expect.not.stringContaining('e poi'),
  ])
  await user.click(await screen.findByRole('button', { name: 'Modifica la nota 1' }))
  const area = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Nota 1' })
  await focused(area)
  expect(area.value).toBe('Prima')
  await user.clear(area)
  fill(area, 'Altra')
  const [save] = screen.getAllByRole('button', { name: 'Salva nota' })
  if (save) await user.click(save)
  await waitFor(async () => expect(await texts()).toEqual(['Altra', 'Seconda']))
  expect(state.notes[0]?.text).toBe('Altra')
  await focused(screen.getByRole('button', { name: 'Modifica la nota 1' }))
})

test('a note that is deleted can be had back', async () => {
  const { api } = serverWithNotes(note(1, 'Prima'))
  const { user } = await openDetails(api, 1)
  await user.click(await screen.findByRole('button', { name: 'Elimina la nota 1' }))
  expect(await screen.findByText('Nota eliminata')).toBeDefined()
  const undo = screen.getByRole('button', { name: 'Annulla' })
  await focused(undo)
  await user.click(undo)
  expect(await texts()).toEqual(['Prima'])
  await focused(screen.getByRole('button', { name: 'Modifica la nota 1' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requests.some(({ method }) => method === 'DELETE')).toBe(false)
})

test('it is deleted when the time for that is over, and with the details at the latest', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api, state } = serverWithNotes(note(1, 'Prima'), note(2, 'Seconda'), note(3, 'Terza'))
  await openDetails(api, 1)
  fireEvent.click(await screen.findByRole('button', { name: 'Elimina la nota 1' }))
  await screen.findByText('Nota eliminata')
  expect(state.notes).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(10_000)
  await waitFor(async () => expect(await texts()).toEqual(['Seconda', 'Terza']))
  expect(state.notes.map(({ text }) => text)).toEqual(['Seconda', 'Terza'])
  fireEvent.click(screen.getByRole('button', { name: 'Elimina la nota 2' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Chiudi' }))
  await waitFor(() => expect(state.notes.map(({ text }) => text)).toEqual(['Seconda']))
})

test('a note that could not be deleted is there again, and that is said', async () => {
  const { api } = serverWithNotes(note(1, 'Prima'), note(2, 'Seconda'))
  api.on(removeOrderNote, () => failure('internal'))
  const { user } = await openDetails(api, 1)
  await user.click(await screen.findByRole('button', { name: 'Elimina la nota 1' }))
  await user.keyboard('{Escape}')
  const toast = await screen.findByText('Impossibile eliminare la nota')
  expect(toast.closest('li')?.textContent).not.toContain('Prima')
})
