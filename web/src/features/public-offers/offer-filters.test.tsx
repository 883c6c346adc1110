import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addressNow, openShop, publicOffer, shown } from '../../../test/public-shop.tsx'

const offers = [
  publicOffer(1, { Nome_Prodotto: 'Zinco', Categoria: 'Integratori', Prezzo_Offerta: 900 }),
  publicOffer(2, { Nome_Prodotto: 'Crema', Categoria: 'Cosmetici', Prezzo_Offerta: 500 }),
  publicOffer(3, { Nome_Prodotto: 'Argento', Categoria: 'Integratori', Prezzo_Offerta: 1000 }),
]

function names() {
  return screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
}

function options(label: string) {
  const select = screen.getByLabelText<HTMLSelectElement>(label)
  return Array.from(select.options, ({ text }) => text)
}

function chosen(label: string) {
  return screen.getByLabelText<HTMLSelectElement>(label).selectedOptions[0]?.text
}

describe('the filters', () => {
  it('are those that there are, all categories first', () => {
    openShop(shown(offers))
    expect(options('Categoria')).toEqual([
      'Tutte le categorie',
      'Integratori',
      'Cosmetici',
      'Altro',
    ])
    expect(options('Tipo di prodotto')).toEqual([
      'Tutti i prodotti',
      'Solo offerte',
      'Solo in evidenza',
    ])
    expect(options('Ordina per')).toEqual([
      'Offerte prima',
      'Sconto maggiore',
      'Prezzo crescente',
      'Prezzo decrescente',
      'A-Z',
    ])
    expect(names()).toEqual(['Crema', 'Zinco', 'Argento'])
  })

  it('have the order of the pharmacy first, where it has made one', () => {
    openShop(shown(offers, { arranged: true }))
    expect(options('Ordina per')[0]).toBe('Scelti dalla farmacia')
    expect(names()).toEqual(['Zinco', 'Crema', 'Argento'])
  })

  it.each([
    ['Categoria', 'Integratori', '?categoria=Integratori', ['Zinco', 'Argento']],
    ['Tipo di prodotto', 'Solo offerte', '?tipo=offers', ['Crema', 'Zinco']],
    ['Tipo di prodotto', 'Solo in evidenza', '?tipo=featured', ['Argento']],
    ['Ordina per', 'Prezzo crescente', '?ordine=priceAsc', ['Crema', 'Zinco', 'Argento']],
    ['Ordina per', 'Prezzo decrescente', '?ordine=priceDesc', ['Argento', 'Zinco', 'Crema']],
    ['Ordina per', 'A-Z', '?ordine=nameAsc', ['Argento', 'Crema', 'Zinco']],
  ])('%s: %s stands in the address and is shown', async (label, choice, search, found) => {
    const { user } = openShop(shown(offers))
    await user.selectOptions(screen.getByLabelText(label), choice)
    expect(addressNow()).toBe(`/offers/FARM001${search}`)
    expect(names()).toEqual(found)
    // Opened anew it is the same.
    expect(chosen(label)).toBe(choice)
  })

  it('are taken from the address, and what it says wrongly is not there', () => {
    openShop(shown(offers), '/offers/FARM001?categoria=Nessuna&tipo=offers&ordine=toString')
    expect(names()).toEqual(['Crema', 'Zinco'])
    expect(chosen('Categoria')).toBe('Tutte le categorie')
    expect(chosen('Ordina per')).toBe('Offerte prima')
  })

  it('say how many of them are not as usual, and leave the address when they are again', async () => {
    const { user } = openShop(shown(offers), '/offers/FARM001?tipo=offers&ordine=nameAsc')
    const fold = screen.getByRole('button', { name: 'Filtri 2 attivi' })
    expect(fold.getAttribute('aria-expanded')).toBe('false')
    await user.click(fold)
    expect(fold.getAttribute('aria-expanded')).toBe('true')
    await user.selectOptions(screen.getByLabelText('Ordina per'), 'Offerte prima')
    expect(screen.getByRole('button', { name: 'Filtri 1 attivo' })).toBe(fold)
    await user.selectOptions(screen.getByLabelText('Tipo di prodotto'), 'Tutti i prodotti')
    expect(screen.getByRole('button', { name: 'Filtri' })).toBe(fold)
    expect(addressNow()).toBe('/offers/FARM001')
  })

  it('that nothing fits can be taken away', async () => {
    const { user } = openShop(shown(offers), '/offers/FARM001?categoria=Altro')
    expect(screen.getByText('Nessun prodotto trovato con i filtri selezionati.')).toBeDefined()
    await user.click(screen.getByRole('link', { name: 'Azzera i filtri' }))
    expect(names()).toHaveLength(3)
    expect(addressNow()).toBe('/offers/FARM001')
    expect(chosen('Categoria')).toBe('Tutte le categorie')
    expect(document.activeElement?.textContent).toBe('Offerte Speciali')
  })

  it('follow the address after a step back', () => {
    openShop(shown(offers))
    history.replaceState(null, '', '/offers/FARM001?tipo=featured')
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
    expect(names()).toEqual(['Argento'])
    expect(chosen('Tipo di prodotto')).toBe('Solo in evidenza')
  })

  it('tell how many products there are', async () => {
    const { user } = openShop(shown(offers))
    const counted = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
    expect(counted()).toContain('3 prodotti')
    await user.selectOptions(screen.getByLabelText('Tipo di prodotto'), 'Solo in evidenza')
    expect(counted()).toContain('1 prodotto')
  })
})
