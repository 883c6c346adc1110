import { getAnalytics } from '@bancone/contract/analytics'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { getSupportContact } from '@bancone/contract/settings'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { analyticsOf, NOW } from '../../../test/analytics.ts'
import { analyticsServer } from '../../../test/analytics-server.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) })
})

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const button = (name: string) => screen.getByRole('button', { name })

test('a pharmacy without analytics is told what it includes, and how to get it', async () => {
  const api = analyticsServer()
    .on(getOwnPharmacy, () => pharmacy)
    .on(getSupportContact, () => ({
      email: 'aiuto@example.it',
      phone: '+390212345678',
      whatsapp: '',
      hours: 'lun–ven 9–18',
    }))
  const { user } = renderApp('/analytics', api)
  await heading('Analytics Non Disponibile')
  expect(
    screen.getByText('La funzionalità Analytics non è abilitata per la tua farmacia'),
  ).toBeDefined()
  expect(screen.getByText('Basic')).toBeDefined()
  const card = within(screen.getByRole('region', { name: 'Analytics Non Disponibile' }))
  expect(card.getAllByRole('listitem')).toHaveLength(5)
  await user.click(button('Upgrade Piano'))
  const mail = await card.findByRole('link', { name: 'aiuto@example.it' })
  expect(mail.getAttribute('href')).toBe(
    'mailto:aiuto@example.it?subject=Analytics%20per%20Farmacia%20San%20Carlo%20(PHARM-0001)',
  )
  expect(api.requests.some(({ path }) => path.startsWith('/api/analytics'))).toBe(false)
  await user.click(screen.getByRole('link', { name: 'Vai alla Dashboard' }))
  await heading('Ordini')
  expect(location.pathname).toBe('/')
})

test('the card names the plan, and goes back to the page before', async () => {
  const api = analyticsServer().on(getOwnPharmacy, () => ({ ...pharmacy, planName: 'Vetrina' }))
  const { user } = renderApp('/', api)
  await heading('Ordini')
  window.history.pushState({ idx: 1 }, '', '/analytics')
  window.dispatchEvent(new PopStateEvent('popstate'))
  await heading('Analytics Non Disponibile')
  expect(screen.getByText('Vetrina')).toBeDefined()
  await user.click(button('Indietro'))
  await heading('Ordini')
})

test('figures that cannot be loaded are an error card; the period can still be changed', async () => {
  const api = analyticsServer().on(getAnalytics, ({ query }) =>
    query.dal === query.al
      ? analyticsOf({ summary: { ...analyticsOf().summary, totalPageViews: 7 } })
      : failure('analytics.failed', 'Errore nel caricamento analytics'),
  )
  const { user } = renderApp('/analytics', api)
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByRole('heading', { name: 'Errore nel caricamento dati' })).toBeDefined()
  expect(alert.getByText('Errore nel caricamento analytics')).toBeDefined()
  expect(alert.getByRole('button', { name: 'Indietro' })).toBeDefined()
  await user.click(alert.getByRole('button', { name: 'Riprova' }))
  await screen.findByRole('alert')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Periodo' }), 'Oggi')
  expect(await screen.findByText('7')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})
