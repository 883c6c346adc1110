import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { order } from '../../../test/fixtures.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { setViewport } from '../../../test/viewport.ts'

const list = [
  order(3, { Created: '2026-03-02T09:48:00Z' }),
  order(2, { Created: '2026-03-02T09:15:00Z' }),
  order(1, { Created: '2026-03-02T07:00:00Z' }),
  order(4, { Created: '2026-03-02T07:00:00Z', Stato: 'Confermato' }),
]
const status = (n: number) => screen.getByRole('combobox', { name: `Stato ordine ${n}` })
/** What is told of it beside its name, and the look of that. */
function waiting(n: number) {
  const told = document.getElementById(status(n).getAttribute('aria-describedby') ?? '')
  const mark = status(n).parentElement?.querySelector('[data-level]')
  return [told?.textContent, mark?.getAttribute('data-level')]
}

test.each(['wide', 'narrow'] as const)('how long an order waits shows (%s)', async (width) => {
  setViewport(width)
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-03-02T10:00:00Z') })
  renderDashboard('/', serverWith(list))
  await screen.findByText('Cliente 3')
  expect(waiting(3)).toEqual(['In attesa da 12 min', 'quiet'])
  expect(waiting(2)).toEqual(['In attesa da 45 min', 'due'])
  expect(waiting(1)).toEqual(['In ritardo: in attesa da 3 ore', 'late'])
  expect(waiting(4)).toEqual([undefined, undefined])
  expect(status(1).parentElement?.textContent).toContain('In ritardo · da 3 ore')
})
