import { addDays, dayOf, formatShortDay } from '@bancone/contract/dates'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { topicEvents } from '@bancone/contract/realtime'
import { dismissNotice, getNotice, getSupportContact } from '@bancone/contract/settings'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pharmacy } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { publishPharmacyEvent } from '../../lib/pharmacy-events.ts'

const notice = { version: 3, text: 'Stasera manutenzione', severity: 'warning' } as const

test('a notice appears on an open page, and stays away once it is dismissed', async () => {
  const api = serverWith([]).on(dismissNotice, () => ({}))
  const { user } = renderApp('/', api)
  await waitFor(() => expect(api.requests.some(({ path }) => path === '/api/notice')).toBe(true))
  api.on(getNotice, () => ({ notice, changesInSeconds: 600 }))
  act(() => publishPharmacyEvent(topicEvents.notice))
  expect(await screen.findByText('Stasera manutenzione')).toBeDefined()
  await user.click(screen.getByRole('button', { name: "Chiudi l'avviso" }))
  expect(screen.queryByText('Stasera manutenzione')).toBeNull()
  await waitFor(() => expect(api.requests.at(-1)?.body).toEqual({ version: 3 }))
})

test('the ways to the support that there are stand at the end of the page', async () => {
  const api = serverWith([]).on(getSupportContact, () => ({
    email: 'aiuto@example.it',
    phone: '',
    whatsapp: '+39333123456',
    hours: 'lun–ven 9–18',
  }))
  renderApp('/', api)
  const mail = await screen.findByRole('link', { name: 'aiuto@example.it' })
  expect(mail.getAttribute('href')).toBe('mailto:aiuto@example.it')
  // The first one leads to the page of the connection.
  const [, chat] = screen.getAllByRole('link', { name: 'WhatsApp' })
  expect(chat?.getAttribute('href')).toBe('https://wa.me/39333123456')
  expect(screen.getByText('lun–ven 9–18')).toBeDefined()
})

const today = dayOf(Date.now())

test.each([
  ['today', today, null],
  [
    'yesterday',
    addDays(today, -1),
    `Attenzione: Il tuo piano è scaduto il ${formatShortDay(addDays(today, -1))}: le sue funzionalità restano attive fino al ${formatShortDay(addDays(today, 13))}. Contatta l'assistenza per rinnovarlo.`,
  ],
  ['15 days ago', addDays(today, -15), expect.stringContaining('non sono più attive')],
])('a plan whose last day is %s', async (_day, planValidUntil, text: unknown) => {
  const api = serverWith([]).on(getOwnPharmacy, () => ({ ...pharmacy, planValidUntil }))
  renderApp('/', api)
  await waitFor(() => expect(api.requests.some(({ path }) => path === '/api/notice')).toBe(true))
  const bars = screen.queryAllByText(/piano è scaduto/)
  expect(bars.map((bar) => bar.textContent)).toEqual(text === null ? [] : [text])
})
