import { getAnalytics } from '@bancone/contract/analytics'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { analyticsOf, NOW, summaryOf } from '../../../test/analytics.ts'
import { analyticsServer } from '../../../test/analytics-server.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) })
})

const period = () => screen.findByRole('combobox', { name: 'Periodo' })
const card = async (name: RegExp) => {
  const cards = within(await screen.findByLabelText('Riepilogo'))
  return cards.getByText(name).closest('dt')?.parentElement?.textContent
}
/** The queries of the figures, in the order of their requests. */
const asked = ({ requests }: StubApi) =>
  requests
    .filter(({ path }) => path.startsWith('/api/analytics?'))
    .map(({ path }) => path.split('?')[1])

test('the cards show the four figures and what they were before', async () => {
  const api = analyticsServer({
    summary: summaryOf({ totalPageViews: 12_345 }),
    previous: { ...summaryOf({ totalPageViews: 0 }), uniqueVisitors: 120 },
  })
  renderApp('/analytics', api)
  // In full for screen readers, and short on the screen.
  expect(await card(/^Visualizzazioni/)).toContain('12,3K12.345')
  expect(await card(/^Visualizzazioni/)).toContain('100% in più')
  expect(await card(/^Visitatori unici/)).toContain('Visitatori unici (giorno migliore)110')
  expect(await card(/^Visitatori unici/)).toContain('Media al giorno: 68,1')
  expect(await card(/^Visitatori unici/)).toContain('8% in meno')
  expect(await card(/^Ordini/)).toContain('56Completati: 35 (62,5%)Invariato')
  expect(await card(/^Conversione/)).toContain('0,45%')
  expect(asked(api)).toEqual(['dal=2026-11-17&al=2026-11-23&confronto=precedente'])
})

test('without a past nothing is compared', async () => {
  renderApp('/analytics', analyticsServer({ previous: null }))
  expect(await card(/^Visualizzazioni/)).toContain('n/d')
  expect(screen.queryByText(/^.*confronto: /)).toBeNull()
})

test('orders are compared where page views were not counted yet', async () => {
  const previous = { ...summaryOf(), totalPageViews: null, uniqueVisitors: null }
  renderApp('/analytics', analyticsServer({ previous: { ...previous, conversionRate: null } }))
  expect(await card(/^Visualizzazioni/)).toContain('n/d')
  expect(await card(/^Ordini/)).toContain('Invariato')
})

test('the old figures stay, marked, until those of the chosen period are there', async () => {
  const later = deferred<ReturnType<typeof analyticsOf>>()
  const api = analyticsServer().on(getAnalytics, ({ query }) =>
    query.dal === '2026-11-01' ? later.promise : analyticsOf(),
  )
  const { user } = renderApp('/analytics', api)
  await card(/^Visualizzazioni/)
  await user.selectOptions(await period(), 'Questo mese')
  expect(location.search).toBe('?periodo=questo-mese')
  expect(await screen.findByText(/ancora di prima: da martedì 17 a lunedì 23/)).toBeDefined()
  expect(await card(/^Visualizzazioni/)).toContain('1.234')
  expect(screen.getByLabelText('Riepilogo').closest('[aria-busy=true]')).not.toBeNull()
  later.resolve(analyticsOf({ summary: summaryOf({ totalPageViews: 777 }) }))
  await waitFor(async () => expect(await card(/^Visualizzazioni/)).toContain('777'))
  expect(screen.queryByText(/ancora di prima/)).toBeNull()
  window.history.back()
  await waitFor(async () => expect(await card(/^Visualizzazioni/)).toContain('1.234'))
})

test('a custom period applies when both of its bounds are right', async () => {
  const api = analyticsServer()
  const { user } = renderApp('/analytics?confronto=anno&scheda=ordini', api)
  await user.selectOptions(await period(), 'Personalizzato')
  const choose = async (from: string, to: string) => {
    fireEvent.change(screen.getByLabelText('Dal'), { target: { value: from } })
    fireEvent.change(screen.getByLabelText('Al'), { target: { value: to } })
    await user.click(screen.getByRole('button', { name: 'Applica' }))
  }
  await choose('2019-12-31', '2026-11-24')
  expect(screen.getByText('Non prima del 01/01/2020.')).toBeDefined()
  expect(screen.getByText('Non dopo oggi.')).toBeDefined()
  expect(location.search).not.toContain('personalizzato')
  await choose('2026-01-01', '2026-01-31')
  expect(location.search).toBe(
    '?periodo=personalizzato&dal=2026-01-01&al=2026-01-31&confronto=anno&scheda=ordini',
  )
  await waitFor(() => expect(asked(api).at(-1)).toBe('dal=2026-01-01&al=2026-01-31&confronto=anno'))
})

test('wrong bounds in the address are shown as such, with the default period', async () => {
  const api = analyticsServer()
  renderApp('/analytics?periodo=personalizzato&dal=2026-11-20&al=2026-11-01', api)
  expect(await screen.findByText('«Al» viene prima di «Dal».')).toBeDefined()
  expect(asked(api)).toEqual(['dal=2026-11-17&al=2026-11-23&confronto=precedente'])
})

test('Aggiorna reads what has happened until now', async () => {
  const api = analyticsServer().on(getAnalytics, ({ query }) =>
    analyticsOf(query.aggiorna ? { updatedAt: '2026-11-23T10:00:00.000Z' } : {}),
  )
  const { user } = renderApp('/analytics', api)
  await screen.findByText('Aggiornato alle 10:32')
  await user.click(screen.getByRole('button', { name: 'Aggiorna' }))
  await screen.findByText('Aggiornato alle 11:00')
  expect(asked(api).at(-1)).toContain('aggiorna=true')
})

test('what fails is said once, with the period that is shown, until a reading succeeds', async () => {
  const state = { fails: false }
  const figures = () => (state.fails ? failure('analytics.failed') : analyticsOf())
  const api = analyticsServer().on(getAnalytics, figures)
  const { user } = renderApp('/analytics', api)
  await card(/^Visualizzazioni/)
  state.fails = true
  await user.click(screen.getByRole('button', { name: 'Aggiorna' }))
  await screen.findByText('Errore nel caricamento dati')
  await user.selectOptions(await period(), 'Questo mese')
  await screen.findByText(/ancora di prima: da martedì 17 a lunedì 23 novembre\.$/)
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  expect(screen.getByLabelText('Riepilogo').closest('[aria-busy=true]')).toBeNull()
  state.fails = false
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
