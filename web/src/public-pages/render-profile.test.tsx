import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brandPalette } from '@bancone/contract/brand-color'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import type { PublicPage } from '@bancone/contract/public-offers'
import { render, screen, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { fakeTracker, pageAt, publicPharmacy, shown } from '../../test/public-shop.tsx'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import { readPageData } from './page-data.ts'
import { renderPage } from './render.tsx'

const template = readFileSync(join(import.meta.dirname, '../../offers.html'), 'utf8')
const usual = [
  { from: '08:30', to: '12:30' },
  { from: '15:30', to: '19:30' },
]
const profile: PublicProfile = {
  palette: brandPalette('#ffd400'),
  openingWeek: [usual, usual, usual, usual, usual, [], [{ from: '00:00', to: '00:00' }]],
  closings: [{ from: '2026-12-25', to: '2026-12-26', note: 'Natale' }],
  description: 'Misuriamo la pressione.\n<script>',
  mapUrl: 'https://maps.app.goo.gl/abc',
}

function content(own: PublicProfile | null): NonNullable<PublicPage['content']> {
  const logoUrl = own && '/images/a_1/0123'
  return { ...shown([]), day: '2026-11-23', pharmacy: { ...publicPharmacy, profile: own, logoUrl } }
}

const Graph = z.object({ '@graph': z.array(z.record(z.string(), z.unknown())) })
const ADDRESS = '/offers/FARM001'

function drawn(own: PublicProfile | null = profile): Document {
  const text = renderPage({ page: pageAt(ADDRESS, content(own)), template })
  return new DOMParser().parseFromString(text, 'text/html')
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-23T13:00+01:00'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

test('without JavaScript the page has the hours of the day and of the week', () => {
  const page = drawn()
  const line = page.querySelector('header a[href="#farmacia"]')
  expect(line?.textContent).toContain('Oggi: 08:30–12:30, 15:30–19:30')
  const section = within(page.querySelector<HTMLElement>('#farmacia') ?? page.body)
  expect(section.getByText('Lunedì').parentElement?.getAttribute('aria-current')).toBe('date')
  expect(section.getByText('Sabato').nextSibling?.textContent).toBe('Chiuso')
  expect(section.getByText('Domenica').nextSibling?.textContent).toBe('24 ore su 24')
  expect(section.getByText('Dal 25/12/2026 al 26/12/2026: Natale')).toBeDefined()
  expect(section.getByText(/Misuriamo la pressione\.\s<script>/)).toBeDefined()
  const map = section.getByText('Come arrivare')
  expect(map.getAttribute('href')).toBe('https://maps.app.goo.gl/abc')
  expect(map.getAttribute('rel')).toContain('noopener')
  expect(page.querySelector('header img')?.getAttribute('src')).toBe('/images/a_1/0123/thumbnail')
})

test('the colour of the pharmacy is the accent, in the light and in the dark', () => {
  const style = drawn().querySelector('#page style')?.textContent ?? ''
  const [light, dark] = style.split('@media screen and (prefers-color-scheme:dark)')
  expect(light).toContain('--c-accent:#806a00;')
  expect(dark).toContain('--c-accent:#ffd400;')
  expect(style).not.toContain('&')
})

test('search engines get the hours, the text and the map', () => {
  const data = drawn().querySelector('script[type="application/ld+json"]')?.textContent ?? ''
  const [pharmacy] = Graph.parse(JSON.parse(data))['@graph']
  expect(pharmacy).toMatchObject({
    description: profile.description,
    hasMap: profile.mapUrl,
    logo: 'https://bancone.example/images/a_1/0123/original',
    specialOpeningHoursSpecification: [{ validFrom: '2026-12-25', validThrough: '2026-12-26' }],
  })
  expect(pharmacy?.['openingHoursSpecification']).toHaveLength(11)
  expect(pharmacy?.['openingHoursSpecification']).toContainEqual({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: 'https://schema.org/Sunday',
    opens: '00:00',
    closes: '23:59',
  })
})

test('the browser says whether it is open now', () => {
  history.pushState(null, '', ADDRESS)
  document.body.innerHTML = drawn().body.innerHTML
  onTestFinished(() => {
    document.body.innerHTML = ''
    history.pushState(null, '', '/')
  })
  const page = readPageData()
  const container = document.getElementById('page')
  if (!container || !page) throw new Error('The page was not drawn')
  const app = (
    <PublicOffersApp
      code="FARM001"
      page={page}
      publicUrl={page.publicUrl}
      tracker={fakeTracker()}
    />
  )
  render(app, { container, hydrate: true })
  const line = screen.getByRole('link', { name: /Orari$/ })
  expect(line.textContent).toContain('Chiuso · apre alle 15:30')
})

test('a pharmacy without a profile has a page as it was', () => {
  const page = drawn(null)
  expect(page.querySelector('#farmacia, #page style, a[href="#farmacia"]')).toBeNull()
  expect(page.querySelector('script[type="application/ld+json"]')?.textContent).not.toContain(
    'openingHours',
  )
})
