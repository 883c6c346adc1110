import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brandPalette } from '@bancone/contract/brand-color'
import { expect, test } from 'vitest'
import { priorityPage } from '../../test/priority-session.tsx'
import { renderPage } from './render.tsx'

const template = readFileSync(join(import.meta.dirname, '../../priority.html'), 'utf8')

function drawn(change: object = {}): Document {
  const text = renderPage({ page: { ...priorityPage, ...change }, template })
  return new DOMParser().parseFromString(text, 'text/html')
}

test('the page is drawn with its state, is not to be found, and has a neutral title', () => {
  const page = drawn({ status: 'user_arrived' })
  expect(page.title).toBe('Accesso prioritario')
  expect(page.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex')
  expect(page.querySelector('meta[name="referrer"]')?.getAttribute('content')).toBe('no-referrer')
  expect(page.querySelector('h1')?.textContent).toBe('Richiesta Inviata')
  expect(page.querySelector('header')?.textContent).toContain('Piazza San Marco 12, Venezia')
  expect(page.querySelectorAll('ol li')).toHaveLength(4)
  expect(page.querySelector('.without-script')?.textContent).toContain('Chiama')
  // Nothing is sent by a page without JavaScript.
  expect(page.querySelector('form')).toBeNull()
})

test('the button has its place before the page knows whose it is', () => {
  const page = drawn()
  const arrival = page.querySelector('button.needs-script')
  expect(arrival?.textContent).toBe('Sono in farmacia')
  expect(page.querySelector('.without-script')?.textContent).toContain('Chiama')
})

test.each([
  ['Farmacia non trovata', null],
  ['Ordine non trovato', priorityPage.pharmacy],
])('a refusal is drawn: %s', (refusal, pharmacy) => {
  const page = drawn({ refusal, pharmacy, status: null })
  expect(page.querySelector('h1')?.textContent).toBe('Errore')
  expect(page.querySelector('[role="alert"]')?.textContent).toContain(refusal)
})

test('the colour of the pharmacy is the accent, and its name is only text', () => {
  const name = '</script><img src=x onerror=alert(1)>'
  const palette = brandPalette('#ffd400')
  const page = drawn({ pharmacy: { ...priorityPage.pharmacy, name, palette } })
  expect(page.querySelector('#page style')?.textContent).toContain('--c-accent:#806a00;')
  expect(page.querySelector('[onerror]')).toBeNull()
  expect(page.querySelector('header p')?.textContent).toBe(name)
})
