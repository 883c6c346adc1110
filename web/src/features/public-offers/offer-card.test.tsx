import { render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openShop, publicOffer, publicPharmacy, shown } from '../../../test/public-shop.tsx'
import { OfferCard } from './offer-card.tsx'

function card() {
  return within(screen.getByRole('article'))
}

/** Signs that keep prices together are spaces to who reads. */
function text(element: HTMLElement) {
  return element.textContent.replaceAll('\u00a0', ' ')
}

describe('the card of an offer', () => {
  it.each([
    ['a discount', 1000, 750, { cents: 1000 }, '-25%'],
    ['one of less than half a percent', 1000, 999, { cents: 1000 }, 'Offerta'],
    ['no reduction', 1000, 1000, null, 'In Evidenza'],
    ['one that was as cheap before', 1000, 800, { cents: 700 }, 'In Evidenza'],
    ['one whose price before is unknown', 1000, 800, null, 'In Evidenza'],
  ])('says of %s what it is', (_what, list, offer, prior, badge) => {
    const fields = { Prezzo_Listino: list, Prezzo_Offerta: offer }
    openShop(shown([publicOffer(1, fields, { prior })]))
    expect(card().getByText(badge)).toBeDefined()
  })

  it('shows its price, the one before, the lowest of 30 days and until when it is valid', () => {
    openShop(shown([publicOffer(1, { Data_Fine: '2026-12-31' })]))
    const shownText = text(screen.getByRole('article'))
    expect(shownText).toContain('8,00 €')
    expect(text(card().getByText('10,00 €', { selector: 's' }))).toBe('Prima: 10,00 €')
    expect(shownText).toContain('Prezzo più basso degli ultimi 30 giorni: 10,00 €')
    expect(shownText).toContain('Valida fino al 31/12/2026')
  })

  it('says nothing of former prices where nothing is reduced', () => {
    openShop(shown([publicOffer(1, { Prezzo_Offerta: 1000 }, { prior: { cents: 900 } })]))
    expect(card().queryByText(/Prezzo più basso/)).toBeNull()
    expect(screen.getByRole('article').querySelector('s')).toBeNull()
  })

  it('orders one of it by WhatsApp, with a message that is ready', async () => {
    const { user, tracker } = openShop(
      shown([publicOffer(1, { Nome_Prodotto: 'Crema & co. 50%' })]),
    )
    const link = card().getByRole('link', {
      name: 'Ordina via WhatsApp',
      description: 'Crema & co. 50%',
    })
    expect(link.getAttribute('href')).toBe(
      `https://wa.me/390411234567?text=${encodeURIComponent(
        'Ciao, vorrei ordinare:\nProdotto: Crema & co. 50%\nPrezzo scontato: 8,00 €\nQuantità: 1\nEquivalente: no',
      )}`,
    )
    link.addEventListener('click', (event) => event.preventDefault())
    await user.click(link)
    expect(tracker.whatsApp).toHaveBeenCalledExactlyOnceWith([publicOffer(1).id], null)
    expect(tracker.orderCode).not.toHaveBeenCalled()
  })

  it('ends the message with the code of the order, another one each time', async () => {
    const pharmacy = { ...publicPharmacy, hasOrderCodes: true }
    const { user, tracker } = openShop(shown([publicOffer(1)], { pharmacy }))
    const link = card().getByRole('link', { name: 'Ordina via WhatsApp' })
    const message = () => decodeURIComponent(link.getAttribute('href') ?? '')
    expect(message()).toMatch(/\nEquivalente: no$/)
    link.addEventListener('click', (event) => event.preventDefault())
    for (const code of ['ABC234', 'XYZ789', null]) {
      tracker.orderCode.mockReturnValueOnce(code)
      await user.click(link)
      expect(message()).toMatch(code === null ? /: no$/ : RegExp(`: no\nCodice: ${code}$`))
      expect(tracker.whatsApp).toHaveBeenLastCalledWith([publicOffer(1).id], code)
    }
  })

  it('reserves a medicine', () => {
    openShop(shown([publicOffer(1, {}, { medicine: true })]))
    const link = card().getByRole('link', { name: 'Prenota via WhatsApp' })
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain('Ciao, vorrei prenotare:')
    expect(screen.queryByText(/Ordina via/)).toBeNull()
  })

  it('tells who wants to order that there is no telephone, each time', async () => {
    const pharmacy = { ...publicPharmacy, whatsAppNumber: null }
    const { user, tracker } = openShop(shown([publicOffer(1)], { pharmacy }))
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(card().getByRole('button', { name: 'Ordina via WhatsApp' }))
    expect(screen.getByRole('alert').textContent).toBe(
      'Numero di telefono della farmacia non disponibile. Contattaci per assistenza.',
    )
    expect(tracker.whatsApp).not.toHaveBeenCalled()
  })

  it('shows our pictures as large as it shows them, and others as they are', () => {
    openShop(
      shown([
        publicOffer(1, {}, { imageSize: { width: 800, height: 1000 } }),
        publicOffer(2, { URL_Immagine: 'https://example.com/pack.jpg' }),
        publicOffer(3, { URL_Immagine: 'javascript:alert(1)' }),
      ]),
    )
    const [ours, other, none] = document.querySelectorAll('img')
    expect(ours?.getAttribute('srcset')).toBe(
      '/images/a_1/v1/card 300w, /images/a_1/v1/card-2x 600w',
    )
    expect(ours?.getAttribute('width')).toBe('800')
    expect(ours?.getAttribute('height')).toBe('1000')
    expect(other?.getAttribute('src')).toBe('https://example.com/pack.jpg')
    expect(other?.getAttribute('srcset')).toBeNull()
    expect(none?.getAttribute('src')).toBe('/product-placeholder.svg')
  })

  it('loads the pictures that are seen first at once, and the others when they are near', () => {
    openShop(shown([1, 2, 3, 4, 5].map((number) => publicOffer(number))))
    const ways = Array.from(document.querySelectorAll('img'), (image) =>
      image.getAttribute('loading'),
    )
    expect(ways).toEqual(['eager', 'eager', 'eager', 'eager', 'lazy'])
  })

  it('can be shown to who makes it, without anything to press', () => {
    render(<OfferCard offer={publicOffer(1)} preview />)
    expect(card().getByText('Ordina via WhatsApp')).toBeDefined()
    expect(card().queryByRole('link')).toBeNull()
    expect(card().queryByRole('button')).toBeNull()
  })
})
