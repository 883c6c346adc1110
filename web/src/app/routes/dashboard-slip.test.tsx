import { getOrder, type OrderNote } from '@bancone/contract/order-details'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { detailsOf, order } from '../../../test/fixtures.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'

const full = order(7, {
  Cliente: 'Giulia Bianchi',
  'Phone Number': '333 123 4567',
  Indirizzo: 'Via Roma 1',
  Ordine: 'Cerotti\nGarze',
})
const note: OrderNote = {
  id: '00000000-0000-4000-8000-000000000001',
  text: 'Paga domani',
  who: null,
  at: '2026-01-01T09:00:00Z',
  changedAt: null,
}

/** What the printer is given: the slip, and the name of the document. */
function fakePrinter() {
  const printed: { title: string; text: string }[] = []
  vi.stubGlobal('print', () => {
    const slip = document.querySelector('body > [data-print-alone]')
    printed.push({ title: document.title, text: slip?.textContent ?? '' })
  })
  return printed
}

async function open() {
  const printed = fakePrinter()
  const api = serverWith([full]).on(getOrder, () => detailsOf(full, { notes: [note] }))
  const view = await openDetails(api, 7)
  await screen.findByText('Paga domani')
  return { ...view, printed }
}

const print = () => screen.getByRole('button', { name: 'Stampa foglio' })

test('the order is printed on a slip, in a document without names', async () => {
  const { user, printed } = await open()
  const title = document.title
  await user.click(print())
  await waitFor(() => expect(printed).toHaveLength(1))
  expect(printed[0]?.title).toBe('Ordine 7')
  for (const word of [
    'Farmacia San Carlo',
    'Giulia Bianchi',
    '333 123 4567',
    'Via Roma 1',
    'Cerotti\nGarze',
    'In attesa',
    '01/01/2026 09:07',
  ]) {
    expect(printed[0]?.text).toContain(word)
  }
  expect(printed[0]?.text).not.toContain('Paga domani')
  act(() => void window.dispatchEvent(new Event('afterprint')))
  await waitFor(() => expect(document.querySelector('[data-print-alone]')).toBeNull())
  expect(document.title).toBe(title)
  // Private notes only where one asks for them.
  await user.click(screen.getByRole('checkbox', { name: 'con le note private' }))
  await user.click(print())
  await waitFor(() => expect(printed).toHaveLength(2))
  expect(printed[1]?.text).toContain('Paga domani')
  act(() => void window.dispatchEvent(new Event('afterprint')))
})
