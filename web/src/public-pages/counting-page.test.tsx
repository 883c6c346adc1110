import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CountingPage } from '@bancone/contract/page-views'
import { expect, test } from 'vitest'
import { renderCountingPage, renderPrivacyPage } from './render.tsx'

const template = readFileSync(join(import.meta.dirname, '../../offers.html'), 'utf8')
const page: CountingPage = {
  pharmacyName: 'Farmacia <San> Marco',
  pharmacyCode: 'FARM 1',
  isCounting: true,
  hasOrderCodes: true,
  pageViewDays: 77,
  limit: { events: 600, minutes: 10, visitors: 50 },
}

function drawn(rest: Partial<CountingPage> = {}) {
  const text = renderCountingPage({ page: { ...page, ...rest }, template })
  const document = new DOMParser().parseFromString(text, 'text/html')
  return { document, text: document.body.textContent }
}

test('the page says what is counted as it is configured, without a script', () => {
  const { document, text } = drawn()
  expect(document.title).toBe('Che cosa contiamo: Farmacia <San> Marco')
  expect([...document.scripts]).toEqual([])
  for (const fact of ['30 secondi', '00:30', '77 giorni', '600 azioni in 10 minuti', 'ABC234']) {
    expect(text).toContain(fact)
  }
  expect(document.querySelector('a')?.getAttribute('href')).toBe('/offers/FARM%201')
  expect(document.querySelector('footer a')?.getAttribute('href')).toBe(
    '/privacy?farmacia=FARM%201',
  )
})

test('the page names no order codes where there are none', () => {
  expect(drawn({ hasOrderCodes: false }).text).not.toContain('Codice')
})

test('the page says that nothing is counted', () => {
  const { text } = drawn({ isCounting: false })
  expect(text).toContain('Niente')
  expect(text).not.toContain('Che cosa registriamo')
})

test.each([
  [null, 'Torna alla Home', '/'],
  [
    { path: '/offers/FARM-1', name: 'Farmacia <San> Marco' },
    'Torna a Farmacia <San> Marco',
    '/offers/FARM-1',
  ],
])('the privacy policy needs no script, and leads back: %j', (back, label, path) => {
  const policy = {
    version: 3,
    text: '## Chi\n\n<script>x</script> **noi**',
    publishedAt: '2026-11-23T10:00:00.000Z',
  }
  const text = renderPrivacyPage({ page: { ...policy, back }, template })
  const document = new DOMParser().parseFromString(text, 'text/html')
  expect(document.title).toBe('Informativa sulla privacy')
  expect([...document.scripts]).toEqual([])
  expect(document.querySelector('h2')?.textContent).toBe('Chi')
  expect(document.querySelector('strong')?.textContent).toBe('noi')
  expect(document.body.textContent).toContain('Versione 3, in vigore dal 23/11/2026')
  const link = document.querySelector('a')
  expect([link?.textContent, link?.getAttribute('href')]).toEqual([label, path])
})
