import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicPage } from '@bancone/contract/public-offers'
import { render, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod/mini'
import { installNativeDialogs } from '../../test/native-dialogs.ts'
import { fakeTracker, pageAt, publicOffer, publicPharmacy, shown } from '../../test/public-shop.tsx'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import { readPageData } from './page-data.ts'
import { renderPage } from './render.tsx'

const template = readFileSync(join(import.meta.dirname, '../../offers.html'), 'utf8')
const cream = publicOffer(1, { Nome_Prodotto: 'Crema', Descrizione: 'Per il viso.' })

function drawn(address: string, content: PublicPage['content']): Document {
  const text = renderPage({ page: pageAt(address, content), template })
  return new DOMParser().parseFromString(text, 'text/html')
}

function meta(page: Document, name: string): (string | null)[] {
  const found = page.head.querySelectorAll(`meta[name="${name}"], meta[property="${name}"]`)
  return Array.from(found, (tag) => tag.getAttribute('content'))
}

function canonical(page: Document) {
  return page.head.querySelector('link[rel="canonical"]')?.getAttribute('href')
}

const Graph = z.object({ '@graph': z.array(z.record(z.string(), z.unknown())) })

function structured(page: Document) {
  const text = page.head.querySelector('script[type="application/ld+json"]')?.textContent ?? ''
  return Graph.parse(JSON.parse(text))['@graph']
}

/**
 * The browser goes on with what was drawn. What it does not find as it was is printed, and fails the test.
 * @param meanwhile what happens before
 */
function goOn(address: string, content: PublicPage['content'], meanwhile = () => {}) {
  installNativeDialogs()
  history.pushState(null, '', address)
  document.body.innerHTML = drawn(address, content).body.innerHTML
  onTestFinished(() => {
    document.body.innerHTML = ''
    history.pushState(null, '', '/')
  })
  meanwhile()
  const page = readPageData()
  const root = document.getElementById('page')
  if (!root || !page) throw new Error('The page was not drawn')
  const { publicUrl } = page
  const tracker = fakeTracker()
  render(<PublicOffersApp code="FARM001" page={page} publicUrl={publicUrl} tracker={tracker} />, {
    container: root,
    hydrate: true,
  })
  return page
}

describe('the page of a pharmacy', () => {
  const page = drawn('/offers/FARM001?tipo=offers&ordine=nameAsc', shown([cream, publicOffer(2)]))

  it('can be read and ordered from without JavaScript', () => {
    const links = Array.from(page.querySelectorAll('article a'), (link) =>
      link.getAttribute('href'),
    )
    expect(page.querySelector('h1')?.textContent).toBe('Offerte Speciali')
    expect(links[0]).toBe(`/offers/FARM001/${cream.id}?tipo=offers&ordine=nameAsc`)
    expect(links[1]).toMatch(/^https:\/\/wa\.me\/390411234567\?text=Ciao/)
    const form = page.querySelector('form')
    expect(form?.getAttribute('action')).toBe('/offers/FARM001')
    expect(form?.method).toBe('get')
    expect(form?.querySelector('select[name="tipo"]')).toHaveProperty('value', 'offers')
  })

  it('has a head that chats and search engines understand', () => {
    expect(page.title).toBe('Offerte Speciali di Farmacia San Marco')
    expect(meta(page, 'og:title')).toEqual([page.title])
    expect(meta(page, 'description')).toEqual([
      '2 prodotti in offerta da Farmacia San Marco: prezzi e ordini via WhatsApp.',
    ])
    expect(meta(page, 'og:description')).toEqual(meta(page, 'description'))
    // Whatever the filters are.
    expect(canonical(page)).toBe('https://bancone.example/offers/FARM001')
    expect(meta(page, 'og:url')).toEqual([canonical(page)])
    expect(meta(page, 'og:image')).toEqual(['https://bancone.example/share/offers/FARM001/abc.jpg'])
    expect(meta(page, 'og:image:width')).toEqual(['1200'])
    expect(meta(page, 'og:image:height')).toEqual(['630'])
    expect(meta(page, 'og:type')).toEqual(['website'])
    expect(meta(page, 'og:locale')).toEqual(['it_IT'])
    expect(meta(page, 'twitter:card')).toEqual(['summary_large_image'])
    expect(meta(page, 'robots')).toEqual([])
  })

  it('tells search engines who the pharmacy is, and what it offers', () => {
    const [pharmacy, list] = structured(page)
    expect(pharmacy).toMatchObject({
      '@type': 'Pharmacy',
      name: 'Farmacia San Marco',
      telephone: '+390411234567',
      address: 'Piazza San Marco 12, Venezia',
    })
    expect(list).toMatchObject({ '@type': 'ItemList', numberOfItems: 2 })
  })
})

describe('the page of an offer', () => {
  const address = `/offers/FARM001/${cream.id}`

  it('has a head of its own', () => {
    const page = drawn(`${address}?tipo=offers`, shown([cream]))
    expect(page.title).toBe('Crema a 8,00\u00a0€')
    expect(meta(page, 'og:title')).toEqual([page.title])
    expect(meta(page, 'og:description')).toEqual([
      '8,00\u00a0€ invece di 10,00\u00a0€. Ordina via WhatsApp da Farmacia San Marco.',
    ])
    expect(canonical(page)).toBe(`https://bancone.example${address}`)
    expect(page.querySelector('dialog')?.hasAttribute('open')).toBe(true)
    expect(page.querySelector('dialog a[aria-label="Chiudi"]')?.getAttribute('href')).toBe(
      '/offers/FARM001?tipo=offers',
    )
  })

  it('says what it costs and what it cost, as the law means it', () => {
    const offer = publicOffer(
      1,
      { Descrizione: 'Per il viso.', Prezzo_Listino: 1200, Data_Fine: '2026-12-31' },
      { prior: { cents: 1000 } },
    )
    const [, product] = structured(drawn(address, shown([offer])))
    expect(product).toMatchObject({
      '@type': 'Product',
      description: 'Per il viso.',
      image: 'https://bancone.example/images/a_1/v1/original',
      offers: {
        price: '8.00',
        priceCurrency: 'EUR',
        priceValidUntil: '2026-12-31',
        priceSpecification: [
          { price: '8.00' },
          { priceType: 'https://schema.org/StrikethroughPrice', price: '10.00' },
        ],
      },
    })
  })

  it('that is a medicine describes nothing', () => {
    const offer = publicOffer(1, { Descrizione: 'Cura tutto.' }, { medicine: true })
    const page = drawn(address, shown([offer]))
    expect(structured(page)[1]).not.toHaveProperty('description')
    expect(page.querySelector('dialog')?.textContent).not.toContain('Cura tutto.')
    expect(meta(page, 'og:description')[0]).toContain('Prenota via WhatsApp')
  })

  it('that is gone is that of the others, and not to be found', () => {
    const page = drawn(`/offers/FARM001/gone`, shown([cream]))
    expect(page.body.textContent).toContain('Questa offerta non è più disponibile')
    expect(meta(page, 'robots')).toEqual(['noindex'])
    expect(canonical(page)).toBe('https://bancone.example/offers/FARM001')
  })
})

it.each([
  ['could not be loaded', null],
  ['does not exist', shown([], { pharmacy: null, error: 'Farmacia non trovata' })],
  ['is not active', shown([], { error: 'Farmacia non attiva' })],
])('the page of a pharmacy that %s is not to be found, and has no preview', (_how, content) => {
  const page = drawn('/offers/FARM001', content)
  expect(meta(page, 'robots')).toEqual(['noindex'])
  expect(meta(page, 'og:image')).toEqual([])
  expect(page.querySelector('script[type="application/ld+json"]')).toBeNull()
  expect(page.querySelector('h1')).not.toBeNull()
})

describe.each([
  ['a closed script', '</script><img src=x onerror=alert(1)>'],
  ['a comment', '<!--<script>'],
  ['quotes', `"><b a='`],
  ['signs of a replacement', "$& $' $` $1"],
  ['an ampersand', 'A&B &lt; &amp;'],
  ['lines that end', 'a\u2028b\u2029c'],
])('with a name that holds %s', (_what, name) => {
  const pharmacy = { ...publicPharmacy, name }
  const offer = publicOffer(1, { Nome_Prodotto: name, Descrizione: name })
  const address = `/offers/FARM001/${offer.id}`
  const content = shown([offer], { pharmacy })

  it('the page says that name, and nothing of it is more than text', () => {
    const page = drawn(address, content)
    expect(page.title).toBe(`${name} a 8,00\u00a0€`)
    expect(meta(page, 'og:site_name')).toEqual([name])
    expect(structured(page)[0]).toMatchObject({ name })
    expect(page.querySelector('h2')?.textContent).toBe(name)
    expect(page.querySelectorAll('[onerror], b, script:not([type])')).toHaveLength(0)
    const data: unknown = JSON.parse(page.getElementById('dati')?.textContent ?? '')
    expect(data).toEqual(pageAt(address, content))
  })
})

describe('the browser goes on with what the server has drawn', () => {
  it.each([
    ['a page', '/offers/FARM001', shown([cream, publicOffer(2, {}, { prior: null })])],
    ['filters', '/offers/FARM001?categoria=Altro&ordine=priceDesc', shown([cream])],
    ['an offer', `/offers/FARM001/${cream.id}`, shown([cream])],
    ['an offer that is gone', '/offers/FARM001/gone', shown([cream], { arranged: true })],
    ['nothing offered', '/offers/FARM001', shown([])],
    ['a refusal', '/offers/FARM001', shown([], { error: 'Farmacia non attiva' })],
    ['what could not be loaded', '/offers/FARM001', null],
  ])('with %s', (_what, address, content) => {
    const before = drawn(address, content).getElementById('page')?.textContent
    const page = goOn(address, content)
    expect(page).toEqual(pageAt(address, content))
    expect(document.getElementById('page')?.textContent).toBe(before)
  })

  it('and makes a dialog of an offer that is open', () => {
    goOn(`/offers/FARM001/${cream.id}`, shown([cream]))
    expect(HTMLDialogElement.prototype.showModal).toHaveBeenCalledOnce()
    expect(screen.getByRole('button', { name: 'Chiudi' })).toBeDefined()
  })

  it('and brings back the list of this tab', async () => {
    const line = { offerId: cream.id, name: 'Crema', quantity: 2, equivalent: false }
    sessionStorage.setItem('bancone-list:FARM001', JSON.stringify([line]))
    goOn('/offers/FARM001', shown([cream]))
    expect(await screen.findByRole('button', { name: /^Lista \(1\)/ })).toBeDefined()
  })

  it('and takes what was chosen before it did', () => {
    goOn('/offers/FARM001', shown([cream]), () => {
      const kind = document.querySelector<HTMLSelectElement>('select[name="tipo"]')
      if (kind) kind.value = 'featured'
    })
    expect(location.search).toBe('?tipo=featured')
    expect(screen.getByText(/Nessun prodotto trovato/)).toBeDefined()
  })
})

it('a page without data, or with what is none, is drawn anew', () => {
  expect(readPageData()).toBeNull()
  document.body.innerHTML = '<script type="application/json" id="dati">{"content":{}}</script>'
  onTestFinished(() => {
    document.body.innerHTML = ''
  })
  expect(readPageData()).toBeNull()
})
