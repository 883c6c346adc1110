import { describe, expect, it } from 'vitest'
import {
  effectiveSearch,
  filterAndSortOffers,
  type PublicOffer,
  parseSearch,
  publicPrice,
} from './public-offers.ts'

let made = 0

function offer(
  name: string,
  list: number,
  price: number,
  given: { category?: string; prior?: number } = {},
): PublicOffer {
  made += 1
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    createdTime: '2026-06-01T10:00:00.000Z',
    fields: {
      Nome_Prodotto: name,
      Descrizione: '',
      Categoria: given.category ?? 'Altro',
      Prezzo_Listino: list,
      Prezzo_Offerta: price,
      Data_Inizio: '2026-06-01',
      Stato_Offerta: 'Attiva',
      URL_Immagine: '/product-placeholder.svg',
    },
    prior: { cents: given.prior ?? list },
    medicine: false,
    imageSize: null,
  }
}

const offers = [
  offer('Zinco', 1000, 1000),
  offer('Aloe', 1000, 900, { category: 'Cosmetici' }),
  offer('Élite', 500, 500),
  // Half the list price, but equal to the prior price.
  offer('Burro', 1000, 500, { prior: 500, category: 'Cosmetici' }),
  offer('Calcio', 1000, 500),
  offer('Dentifricio', 2000, 1800),
  offer('amido', 10_000, 9_999),
]

const categories = ['Cosmetici', 'Veterinaria', 'Altro']

/** The names of the offers that match a query string. */
function sought(search: Record<string, string>, arranged = false): string[] {
  const parsed = parseSearch(new URLSearchParams(search))
  const asked = effectiveSearch({ categories, arranged }, parsed)
  return filterAndSortOffers({ offers, arranged }, asked).map(({ fields }) => fields.Nome_Prodotto)
}

const asMade = offers.map(({ fields }) => fields.Nome_Prodotto)
const byType = ['Calcio', 'Aloe', 'Dentifricio', 'amido', 'Burro', 'Élite', 'Zinco']

describe('the order of offers', () => {
  it.each([
    ['typeAndDiscount', byType],
    ['discount', ['Calcio', 'Aloe', 'Dentifricio', 'amido', 'Burro', 'Élite', 'Zinco']],
    ['priceAsc', ['Burro', 'Calcio', 'Élite', 'Aloe', 'Zinco', 'Dentifricio', 'amido']],
    ['priceDesc', ['amido', 'Dentifricio', 'Zinco', 'Aloe', 'Burro', 'Calcio', 'Élite']],
    ['nameAsc', ['Aloe', 'amido', 'Burro', 'Calcio', 'Dentifricio', 'Élite', 'Zinco']],
  ])('%s', (ordine, names) => {
    expect(sought({ ordine })).toEqual(names)
    expect(sought({ ordine }, true)).toEqual(names)
  })

  it('is by itself that of reductions first, the largest before the others', () => {
    expect(sought({})).toEqual(byType)
    expect(sought({ ordine: 'pharmacy' })).toEqual(byType)
  })

  it('is by itself that of the pharmacy, where it has put them in one', () => {
    expect(sought({}, true)).toEqual(asMade)
    expect(sought({ ordine: 'pharmacy' }, true)).toEqual(asMade)
  })

  it('tells a reduction of nearly nothing from none', () => {
    const two = [offer('A', 1000, 1000), offer('B', 100_000, 99_999)]
    const names = (ordine: 'typeAndDiscount' | 'discount') =>
      filterAndSortOffers({ offers: two, arranged: false }, { tipo: 'all', ordine }).map(
        ({ fields }) => fields.Nome_Prodotto,
      )
    expect(names('typeAndDiscount')).toEqual(['B', 'A'])
    expect(names('discount')).toEqual(['A', 'B'])
  })

  it('leaves what it is given as it was', () => {
    sought({ ordine: 'priceAsc' })
    expect(offers.map(({ fields }) => fields.Nome_Prodotto)).toEqual(asMade)
  })
})

describe('the offers that are looked at', () => {
  it.each([
    [{ tipo: 'offers' }, ['Calcio', 'Aloe', 'Dentifricio', 'amido']],
    [{ tipo: 'featured' }, ['Burro', 'Élite', 'Zinco']],
    [{ tipo: 'all' }, byType],
    [{ categoria: 'Cosmetici' }, ['Aloe', 'Burro']],
    [{ categoria: 'Cosmetici', tipo: 'featured' }, ['Burro']],
    [{ categoria: 'Veterinaria' }, []],
  ])('are those of %j', (search, names) => {
    expect(sought(search)).toEqual(names)
  })

  it.each([
    { tipo: 'tutti' },
    { ordine: 'constructor' },
    { tipo: '', ordine: '' },
    { tipo: 'offers,featured', ordine: 'priceAsc,nameAsc' },
    { categoria: 'x'.repeat(101) },
    { categoria: 'Cosmetici,Altro' },
    { utm_source: 'whatsapp' },
  ])('are all, when the address says %j', (search) => {
    expect(sought(search)).toEqual(byType)
  })
})

it('shows a price by what it was before', () => {
  expect(offers.map((each) => publicPrice(each).percent)).toEqual([0, 10, 0, 0, 50, 10, 0])
})
