import { downloadAnalytics, getAnalytics, getOrderAnalytics } from '@bancone/contract/analytics'
import {
  addAnalyticsNote,
  changeAnalyticsNote,
  removeAnalyticsNote,
} from '@bancone/contract/analytics-notes'
import { changeAnalyticsSettings } from '@bancone/contract/analytics-settings'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { analyticsOf, NOW, orderAnalyticsOf, trafficOf } from '../../../test/analytics.ts'
import { analyticsServer, withAnalytics } from '../../../test/analytics-server.ts'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { failure, rawReply } from '../../../test/stub-api.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) })
})

const figures = () => screen.findByLabelText('Riepilogo')

test('the overview: what happened, what happens now, and what needs the pharmacy', async () => {
  renderApp('/analytics', analyticsServer())
  await figures()
  expect(screen.getByRole('figure', { name: 'Visualizzazioni' }).textContent).toContain(
    'il 12% in più del periodo precedente; il giorno migliore è stato sabato 21 novembre.',
  )
  const present = screen.getByRole('region', { name: 'In questo momento' })
  await waitFor(() =>
    expect(present.textContent).toContain('3visitatori, 7 visualizzazioni negli ultimi 5 minuti'),
  )
  const needing = within(screen.getByRole('region', { name: 'Da sistemare' }))
  expect(needing.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Offerta 2Scaduta, vista 380 volte: riproponila?',
    "Offerta 3L'immagine non si vede più, vista 320 volte",
  ])
  expect(document.title).toBe('Analytics · Bancone')
})

test('the source of the orders is named and explained', async () => {
  const api = analyticsServer({
    source: 'airtable',
    isStale: true,
    syncedAt: '2026-11-23T09:02:00.000Z',
  })
  const { user } = renderApp('/analytics', api)
  expect(
    await screen.findByText(
      'Gli ordini di Airtable non si leggono: questi sono quelli delle 10:02.',
    ),
  ).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Fonte degli ordini: Airtable' }))
  expect(screen.getByRole('dialog').textContent).toContain("L'ultima lettura è del 23/11/2026")
})

test('what could not be read is said to be missing', async () => {
  const api = analyticsServer({ ordersFailed: true, isLive: true }).on(getTraffic, () =>
    trafficOf({ sources: null, offers: null, attention: null }),
  )
  const { user } = renderApp('/analytics', api)
  expect(await screen.findByText(/^Gli ordini non si sono potuti leggere/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Fonte degli ordini: Supabase DB' })).toBeDefined()
  expect(within(await figures()).getAllByText('n/d')).toHaveLength(2)
  expect(screen.getByText(/^Le statistiche già contate non si possono leggere/)).toBeDefined()
  const unreadable = /^Da sistemare.*Non si può leggere adesso/
  expect((await screen.findByRole('region', { name: 'Da sistemare' })).textContent).toMatch(
    unreadable,
  )
  await user.click(screen.getByRole('tab', { name: 'Traffico' }))
  expect((await screen.findByRole('region', { name: 'Provenienza' })).textContent).toContain(
    'Non si può',
  )
})

test('the arrow keys go through the tabs', async () => {
  const { user } = renderApp('/analytics', analyticsServer())
  await figures()
  await user.click(screen.getByRole('tab', { name: 'Panoramica' }))
  await user.keyboard('{ArrowRight}')
  expect(await screen.findByRole('figure', { name: 'Ore della settimana' })).toBeDefined()
  expect(location.search).toBe('?scheda=traffico')
  const codes = screen.getByRole('link', { name: 'Attiva i codici' })
  expect(codes.getAttribute('href')).toBe('/analytics/settings')
  expect(screen.getByRole('link', { name: /^Che cosa contiamo/ }).getAttribute('href')).toBe(
    '/offers/PHARM-0001/che-cosa-contiamo',
  )
  const offers = within(screen.getByRole('table', { name: 'Offerta per offerta' }))
  expect(offers.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Offerta 1',
    'Offerta 2Scaduta',
    'Offerta 3Senza immagine',
    'Offerta eliminata',
  ])
  await user.keyboard('{ArrowRight}')
  expect(await screen.findByText(/^Metà degli ordini è confermata entro 14 minuti/)).toBeDefined()
})

test('a note is added, changed, and removed unless that is undone', async () => {
  const held = { notes: analyticsOf().notes }
  const id = '0b1c8f6e-2d0a-4c1e-9f6f-0c7b8d1e2f3b'
  const removed: string[] = []
  const api = analyticsServer()
    .on(getAnalytics, () => analyticsOf(held))
    .on(addAnalyticsNote, ({ body }) => {
      const note = { ...body, id, kind: 'own' as const }
      held.notes = [...held.notes, note]
      return note
    })
    .on(changeAnalyticsNote, ({ body }) => {
      const note = { ...body, id, kind: 'own' as const }
      held.notes = held.notes.map((each) => (each.id === id ? note : each))
      return note
    })
    .on(removeAnalyticsNote, ({ params }) => {
      removed.push(params.analyticsNoteId)
      return failure('analytics.note_not_found')
    })
  const { user, unmount } = renderApp('/analytics', api)
  await figures()
  await user.click(screen.getByRole('button', { name: 'Aggiungi nota' }))
  await user.click(screen.getByRole('button', { name: 'Aggiungi' }))
  expect(await screen.findByText('Scrivi la nota.')).toBeDefined()
  await user.type(screen.getByLabelText('Nota'), 'Chiusi per inventario')
  await user.click(screen.getByRole('button', { name: 'Aggiungi' }))
  await screen.findByText('Nota salvata')
  expect(api.requests.find(({ method }) => method === 'POST')?.body).toEqual({
    day: '2026-11-23',
    text: 'Chiusi per inventario',
  })
  await user.click(
    await screen.findByRole('button', { name: 'Modifica la nota: Chiusi per inventario' }),
  )
  await user.type(screen.getByLabelText('Nota'), ' annuale')
  await user.click(screen.getByRole('button', { name: 'Salva' }))
  const remove = { name: 'Elimina la nota: Chiusi per inventario annuale' }
  await user.click(await screen.findByRole('button', remove))
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await user.click(screen.getByRole('button', remove))
  expect(removed).toEqual([])
  unmount()
  await waitFor(() => expect(removed).toEqual([id]))
})

test('the table of the tab is downloaded with the period', async () => {
  const browser = fakeDownloads()
  const api = analyticsServer().on(downloadAnalytics, () => rawReply('Giorno;Visite', 200))
  const { user } = renderApp('/analytics?periodo=oggi&scheda=traffico', api)
  await figures()
  await user.click(screen.getByRole('button', { name: 'Esporta' }))
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Ore della settimana (CSV)',
    'Ore della settimana (Excel)',
    'Provenienza (CSV)',
    'Provenienza (Excel)',
    'Offerte (CSV)',
    'Offerte (Excel)',
    'Stampa report',
  ])
  await user.click(screen.getByRole('menuitem', { name: 'Provenienza (CSV)' }))
  await waitFor(() =>
    expect(browser.saved).toEqual([
      { name: 'analytics-provenienza-2026-11-23-2026-11-23.csv', text: 'Giorno;Visite' },
    ]),
  )
  expect(api.requests.at(-1)?.path).toBe(
    '/api/analytics/export?dal=2026-11-23&al=2026-11-23&confronto=precedente&tabella=provenienza&formato=csv',
  )
})

test('how soon orders are ready and collected, by weekday, or how that begins', async () => {
  const { unmount } = renderApp('/analytics?scheda=ordini', analyticsServer())
  const section = await screen.findByRole('region', { name: 'Ritiro degli ordini' })
  expect(
    within(section)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent),
  ).toEqual(['120prima 110', '3 h 20 minprima 4 h', '5 h', '9 (8%)', '15'])
  const [, ...rows] = within(section).getAllByRole('row')
  expect(rows).toHaveLength(6)
  const cells = within(rows[4] ?? section).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual(['20', '5 h', '5 h', '20%'])
  unmount()
  const orders = orderAnalyticsOf()
  const pickups = { ...orders.pickups, ready: 0, hasBegun: false }
  const api = analyticsServer().on(getOrderAnalytics, () => ({ ...orders, pickups }))
  const owner = renderApp('/analytics?scheda=ordini', api)
  const link = await screen.findByRole('link', { name: 'Impostazioni del ritiro' })
  expect(link.getAttribute('href')).toBe('/account/pickup')
  owner.unmount()
  // The page is for owners.
  api.on(getOwnPharmacy, () => ({ ...withAnalytics, role: 'staff' as const }))
  renderApp('/analytics?scheda=ordini', api)
  await screen.findByText(/^Qui vedrai in quanto tempo gli ordini sono pronti/)
  expect(screen.queryByRole('link', { name: 'Impostazioni del ritiro' })).toBeNull()
})

test('the report of the period is printed', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue(undefined)
  const { user } = renderApp('/analytics?periodo=mese-scorso', analyticsServer())
  await figures()
  await user.click(screen.getByRole('button', { name: 'Esporta' }))
  await user.click(screen.getByRole('menuitem', { name: 'Stampa report' }))
  const sheet = await screen.findByRole('article', { name: 'Anteprima del report' })
  expect(location.pathname + location.search).toBe('/analytics/report?periodo=mese-scorso')
  expect(sheet.textContent).toContain('Report dal 01/10/2026 al 31/10/2026')
  expect(within(sheet).getByRole('table', { name: 'Offerta per offerta' })).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Stampa' }))
  expect(print).toHaveBeenCalledOnce()
})

test('a pharmacy without any page view is told what to do', async () => {
  renderApp('/analytics', analyticsServer({ firstDay: null }))
  expect(await screen.findByText('Ancora nessuna visita')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Copia link' })).toBeDefined()
  expect(screen.queryByRole('tab')).toBeNull()
})

test('of a time before the first day it is said that nothing was counted', async () => {
  const address = '/analytics?periodo=personalizzato&dal=2025-01-01&al=2025-01-31'
  const { user } = renderApp(address, analyticsServer())
  expect(await screen.findByText(/i primi dati sono del 20\/10\/2025/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Mostra gli ultimi 30 giorni' }))
  await figures()
  expect(location.search).toBe('?periodo=ultimi-30-giorni')
})

test('a pharmacy without offers sees its orders', async () => {
  const { funnel } = trafficOf()
  const api = analyticsServer()
    .on(getOwnPharmacy, () => ({ ...withAnalytics, features: ['analytics' as const] }))
    .on(getTraffic, () => trafficOf({ funnel: { ...funnel, views: 0 } }))
  const { user } = renderApp('/analytics', api)
  expect(await screen.findByRole('figure', { name: 'Ordini per stato' })).toBeDefined()
  expect(screen.queryByRole('figure', { name: 'Visualizzazioni' })).toBeNull()
  await user.click(screen.getByRole('tab', { name: 'Traffico' }))
  expect(await screen.findByText('Nessuna pagina delle offerte')).toBeDefined()
})

test('an owner changes a setting, and undoes it', async () => {
  const saved: unknown[] = []
  const api = analyticsServer().on(changeAnalyticsSettings, ({ body }) => {
    saved.push(body)
    // Another tab has switched the codes on meanwhile.
    return { isCounting: body.isCounting ?? true, hasOrderCodes: true, hasWeeklyMail: false }
  })
  const { user } = renderApp('/analytics/settings', api)
  const counting = await screen.findByRole('switch', { name: 'Conta le visite' })
  expect(screen.getByText(/Codice: K7RM4P$/)).toBeDefined()
  await user.click(counting)
  fireEvent.click(await screen.findByRole('button', { name: 'Annulla' }))
  await waitFor(() => expect(counting.getAttribute('aria-checked')).toBe('true'))
  expect(saved).toEqual([{ isCounting: false }, { isCounting: true }])
  const codes = screen.getByRole('switch', { name: /^Codici d'ordine/ })
  await waitFor(() => expect(codes.getAttribute('aria-checked')).toBe('true'))
})

test('who is no owner cannot change the settings', async () => {
  const api = analyticsServer().on(getOwnPharmacy, () => ({
    ...withAnalytics,
    role: 'staff' as const,
  }))
  renderApp('/analytics/settings', api)
  const switches = await screen.findAllByRole('switch')
  expect(switches.map((each) => inactive(each))).toEqual([true, true, true])
  expect(screen.getByText('Le impostazioni le cambiano i titolari della farmacia.')).toBeDefined()
})
