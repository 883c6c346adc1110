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
  const printed: { title: string; text: string; bars: number | null }[] = []
  vi.stubGlobal('print', () => {
    const slip = document.querySelector('body > [data-print-alone]')
    const bars = slip?.querySelector('svg') ?? null
    printed.push({
      title: document.title,
      text: slip?.textContent ?? '',
      bars: bars && Math.round(Number(bars.getAttribute('width'))),
    })
  })
  return printed
}

async function open(printedOrder = full) {
  const printed = fakePrinter()
  const api = serverWith([printedOrder]).on(getOrder, () =>
    detailsOf(printedOrder, { notes: [note] }),
  )
  const view = await openDetails(api, printedOrder.fields['ID Ordine'] ?? '')
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

test('the label of the bag says neither what is in it nor where it goes', async () => {
  const { user, printed } = await open()
  await user.click(screen.getByRole('button', { name: 'Etichetta sacchetto' }))
  await waitFor(() => expect(printed).toHaveLength(1))
  expect([printed[0]?.title, printed[0]?.text.slice(-11)]).toEqual(['Ordine 7', '7G. Bianchi'])
  expect(printed[0]?.text).not.toMatch(/Cerotti|Garze|Giulia|333|Roma|In attesa|Paga/)
  act(() => void window.dispatchEvent(new Event('afterprint')))
  await waitFor(() => expect(document.querySelector('[data-print-alone]')).toBeNull())
})

// In CSS pixels, of which 272 are 72 mm; a module has two to four dots of 0.125 mm, and each side ten.
test.each([
  ['7', 166],
  ['12345678', 270],
  ['123456789012345678901', 270],
  ['1234567890123456789012', null],
  ['7 è', null],
])('the bars of order %s are as wide as the paper lets them', async (number, bars) => {
  const { user, printed } = await open(order(7, { 'ID Ordine': number }))
  await user.click(print())
  await waitFor(() => expect(printed).toHaveLength(1))
  expect(printed[0]?.bars).toBe(bars)
  act(() => void window.dispatchEvent(new Event('afterprint')))
})
