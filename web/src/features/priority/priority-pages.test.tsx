import { addDays, dayOf } from '@bancone/contract/dates'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import {
  changePrioritySettings,
  createPriorityDisplay,
  getPrioritySettings,
  initialPrioritySettings,
  listPriorityDisplays,
  type PriorityDisplay,
  removePriorityDisplay,
} from '@bancone/contract/priority'
import { recordCounterPresence } from '@bancone/contract/priority-counters'
import { getPriorityReport } from '@bancone/contract/priority-report'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardOf, priorityServer, withPriority } from '../../../test/priority.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const TOKEN = 'bbbbbbbbbbbbbbbbbbbbbb'
const display: PriorityDisplay = {
  id: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d77',
  name: 'Sala',
  createdAt: '2026-01-05T07:30:00Z',
  lastSeenAt: null,
}

function server() {
  const displays = [display]
  const { api } = priorityServer(boardOf())
  return api
    .on(recordCounterPresence, () => ({}))
    .on(getPrioritySettings, () => initialPrioritySettings)
    .on(listPriorityDisplays, () => ({ displays }))
    .on(createPriorityDisplay, ({ body: { name } }) => {
      const made = { ...display, id: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d78', name }
      displays.unshift(made)
      return { ...made, url: `https://bancone.example/priority/display#t=${TOKEN}` }
    })
    .on(removePriorityDisplay, () => {
      displays.pop()
      return {}
    })
}

test('an owner changes the settings; what cannot be is said beside its field', async () => {
  const api = server().on(changePrioritySettings, ({ body }) => body)
  const { user } = renderApp('/priority/settings', api)
  const days = await screen.findByRole('textbox', { name: 'Giorni di validità del link' })
  const message = screen.getByRole('textbox', { name: 'Messaggio WhatsApp' })
  const minutes = screen.getByRole('textbox', { name: "Minuti dopo i quali un'attesa è lunga" })
  await user.clear(days)
  await user.clear(minutes)
  await user.type(minutes, '7,5')
  await user.clear(message)
  await user.type(message, 'Vieni')
  await user.click(screen.getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Scrivi un numero di giorni.')).toBeDefined()
  expect(screen.getByText(/^Scrivi un numero intero di minuti, senza virgola/)).toBeDefined()
  expect(screen.getByText(/Il testo deve contenere \{link\}/)).toBeDefined()
  await user.type(days, '40')
  expect(await screen.findByText('Scegli un numero di giorni da 1 a 30.')).toBeDefined()
  await user.clear(minutes)
  await user.type(minutes, '10')
  await user.clear(days)
  await user.type(days, '3')
  await user.type(message, ' {{link}')
  await user.selectOptions(screen.getByLabelText('Crea il link da solo'), 'Confermato')
  await user.click(screen.getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Impostazioni salvate')).toBeDefined()
  expect(api.requests.findLast(({ method }) => method === 'PUT')?.body).toEqual({
    linkDays: 3,
    lateMinutes: 10,
    issueOnStatus: 'Confermato',
    message: 'Vieni {link}',
  })
})

test('settings that are not saved are asked about before a link leads away, and else found again', async () => {
  const { user, unmount } = renderApp('/priority/settings', server())
  const days = await screen.findByRole('textbox', { name: 'Giorni di validità del link' })
  await user.clear(days)
  await user.type(days, '12')
  const report = screen.getByRole('link', { name: 'Report' })
  await user.click(report)
  await user.click(await screen.findByRole('button', { name: 'Continua a modificare' }))
  expect(days).toHaveProperty('value', '12')
  unmount()
  const again = renderApp(
    '/priority/settings',
    server().on(getPriorityReport, () => failure('service.unavailable')),
  )
  expect(await screen.findByText(/Abbiamo ritrovato le modifiche/)).toBeDefined()
  expect(screen.getByRole('textbox', { name: 'Giorni di validità del link' })).toHaveProperty(
    'value',
    '12',
  )
  await again.user.click(screen.getByRole('link', { name: 'Report' }))
  await again.user.click(await screen.findByRole('button', { name: 'Lascia senza salvare' }))
  await waitFor(() => expect(location.pathname).toBe('/priority/report'))
  await again.user.click(screen.getByRole('link', { name: 'Impostazioni' }))
  expect(
    await screen.findByRole('textbox', { name: 'Giorni di validità del link' }),
  ).toHaveProperty('value', '7')
})

test('others read the settings, and change neither these nor the displays', async () => {
  const api = server().on(getOwnPharmacy, () => ({ ...withPriority, role: 'staff' as const }))
  renderApp('/priority/settings', api)
  expect(await screen.findByText(/le cambiano i titolari/)).toBeDefined()
  expect(await screen.findByText('Sala')).toBeDefined()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('button', { name: /schermo/ })).toBeNull()
})

test('the link of a display is shown once, and a display can be removed', async () => {
  const { user, client } = renderApp('/priority/settings', server())
  await screen.findByText('Sala')
  await user.click(screen.getByRole('button', { name: 'Nuovo schermo' }))
  await user.type(await screen.findByRole('textbox', { name: 'Nome' }), 'Ingresso{Enter}')
  expect(await screen.findByText(/display#t=/)).toBeDefined()
  expect(screen.getByRole('img', { name: 'QR code dello schermo' })).toBeDefined()
  await user.keyboard('{Escape}')
  expect((await screen.findByRole('alert')).textContent).toContain('Prima apri lo schermo')
  await user.click(screen.getByRole('button', { name: 'Ho aperto lo schermo' }))
  expect(await screen.findByText('Ingresso')).toBeDefined()
  const kept = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) =>
    cache.getAll().map(({ state }) => state.data),
  )
  expect(JSON.stringify(kept)).not.toContain(TOKEN)
  await user.click(screen.getByRole('button', { name: 'Elimina lo schermo Sala' }))
  const dialog = within(await screen.findByRole('dialog', { name: /«Sala»/ }))
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(await screen.findByText('Schermo eliminato')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Sala')).toBeNull())
})

test('the report of a period has its numbers and the hours between the first and the last', async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    arrivals: hour === 9 ? 4 : hour === 11 ? 1 : 0,
    medianWait: hour === 9 ? 270 : null,
  }))
  const report = { arrivals: 5, called: 4, noShows: 1, medianWait: 270, p90Wait: 600, hours }
  const empty = { ...report, arrivals: 0, hours: [] }
  const today = dayOf(Date.now())
  const api = server().on(getPriorityReport, ({ query }) => (query.dal === today ? empty : report))
  const { user } = renderApp('/priority/report', api)
  const table = within(await screen.findByRole('table', { name: 'Arrivi per ora' }))
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'OraArriviAttesa mediana',
    '09–1044 min 30 s',
    '10–110–',
    '11–121–',
  ])
  expect(screen.getByText('10 min')).toBeDefined()
  const asked = () => api.requests.findLast(({ path }) => path.includes('/report'))?.path
  expect(asked()).toBe(`/api/priority/report?dal=${addDays(today, -6)}&al=${today}`)
  await user.click(screen.getByRole('button', { name: 'Oggi' }))
  expect(await screen.findByText('Nessun arrivo in questo periodo')).toBeDefined()
  expect(location.search).toBe(`?dal=${today}&al=${today}`)
  api.on(getPriorityReport, () => failure('service.unavailable'))
  await user.click(screen.getByRole('button', { name: 'Ultimi 30 giorni' }))
  expect(await screen.findByRole('button', { name: 'Riprova' })).toBeDefined()
})

test('the poster leads to the page that finds a session', async () => {
  renderApp('/priority/poster', server())
  const url = `${location.origin}/priority/PHARM-0001`
  expect(await screen.findByTitle(`QR code: ${url}`)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Stampa' })).toBeDefined()
})
