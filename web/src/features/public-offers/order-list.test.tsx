import { listPublicOffers } from '@bancone/contract/public-offers'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { awayFor } from '../../../test/away-for.ts'
import { focused } from '../../../test/focused.ts'
import {
  addressNow,
  openShop,
  publicOffer,
  publicPharmacy,
  shown,
} from '../../../test/public-shop.tsx'
import { StubApi } from '../../../test/stub-api.ts'

const cream = publicOffer(1, { Nome_Prodotto: 'Crema' })
const zinc = publicOffer(2, { Nome_Prodotto: 'Zinco', Prezzo_Offerta: 1000 })
const tablets = publicOffer(3, { Nome_Prodotto: 'Compresse' }, { medicine: true })

type User = ReturnType<typeof openShop>['user']

async function add(user: User, ...names: string[]) {
  for (const name of names) {
    await user.click(screen.getByRole('button', { name: 'Aggiungi alla lista', description: name }))
  }
}

function bar() {
  return screen.getByRole('button', { name: /^Lista \(/ })
}

function dialog() {
  return within(screen.getByRole('dialog', { name: 'La lista' }))
}

function message() {
  const link = dialog().getByRole('link', { name: /via WhatsApp/ })
  return decodeURIComponent(link.getAttribute('href') ?? '').split('?text=')[1]
}

function plain(text: string | null) {
  return text?.replaceAll('\u00a0', ' ')
}

describe('the list', () => {
  it('is not there until something is on it', async () => {
    const { user } = openShop(shown([cream, zinc]))
    expect(screen.queryByRole('button', { name: /^Lista/ })).toBeNull()
    await add(user, 'Crema')
    expect(plain(bar().textContent)).toBe('Lista (1), totale 8,00 €')
    expect(screen.getByText('Aggiunto alla lista')).toBeDefined()
  })

  it('sends several products as one message, a reservation where a medicine is among them', async () => {
    const { user, tracker } = openShop(shown([cream, zinc, tablets]))
    await add(user, 'Crema', 'Zinco', 'Compresse')
    await user.click(bar())
    const first = within(dialog().getByRole('group', { name: 'Quantità di Crema' }))
    await user.click(first.getByRole('button', { name: 'Uno di più' }))
    await user.click(dialog().getByRole('checkbox', { name: 'Equivalente: Compresse' }))
    expect(dialog().getAllByRole('checkbox')).toHaveLength(1)
    expect(message()).toBe(
      [
        'Ciao, vorrei prenotare:',
        '1) Crema\nPrezzo scontato: 8,00 €\nQuantità: 2',
        '2) Zinco\nPrezzo: 10,00 €\nQuantità: 1',
        '3) Compresse\nPrezzo scontato: 8,00 €\nQuantità: 1\nEquivalente: sì',
      ].join('\n\n'),
    )
    expect(plain(dialog().getByText('Totale').textContent)).toBe('Totale34,00 €')
    const link = dialog().getByRole('link', { name: 'Prenota via WhatsApp' })
    link.addEventListener('click', (event) => event.preventDefault())
    await user.click(link)
    expect(tracker.whatsApp).toHaveBeenCalledExactlyOnceWith([cream.id, zinc.id, tablets.id], null)
  })

  it('without medicines is an order', async () => {
    const { user } = openShop(shown([cream, zinc]))
    await add(user, 'Crema', 'Zinco')
    await user.click(bar())
    expect(dialog().getByRole('link', { name: 'Ordina via WhatsApp' })).toBeDefined()
    expect(message()).toMatch(/^Ciao, vorrei ordinare:/)
  })

  it('takes from 1 to 99 of each', async () => {
    const { user } = openShop(shown([cream]))
    await add(user, 'Crema')
    await user.click(bar())
    const quantity = dialog().getByRole<HTMLInputElement>('textbox', { name: 'Quantità di Crema' })
    await user.click(dialog().getByRole('button', { name: 'Uno di meno' }))
    expect(quantity.value).toBe('1')
    await user.clear(quantity)
    await user.type(quantity, '9x9')
    expect(quantity.value).toBe('99')
    await user.click(dialog().getByRole('button', { name: 'Uno di più' }))
    expect(message()).toContain('Quantità: 99')
    await user.clear(quantity)
    await user.type(quantity, '0')
    await user.tab()
    // What is none is not taken: the last that was one stays.
    expect(quantity.value).toBe('99')
  })

  it('closes with back, and keeps the focus', async () => {
    const { user } = openShop(shown([cream]))
    await add(user, 'Crema')
    await user.click(bar())
    expect(addressNow()).toBe('/offers/FARM001')
    act(() => history.back())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await focused(bar())
  })

  it('opens from a product that is on it, also over its dialog', async () => {
    const { user } = openShop(shown([cream]))
    await user.click(screen.getByRole('link', { name: 'Crema' }))
    const offer = within(screen.getByRole('dialog', { name: 'Crema' }))
    await user.click(offer.getByRole('button', { name: 'Aggiungi alla lista' }))
    await user.click(offer.getByRole('button', { name: 'Nella lista (apri la lista)' }))
    expect(dialog().getByText('Crema')).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'La lista' })).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Crema' })).toBeDefined()
  })

  it('loses what is taken off it, and says when it is empty', async () => {
    const { user } = openShop(shown([cream, zinc]))
    await add(user, 'Crema', 'Zinco')
    await user.click(bar())
    await user.click(dialog().getByRole('button', { name: 'Rimuovi Crema' }))
    expect(dialog().queryByText('Crema')).toBeNull()
    expect(document.activeElement?.textContent).toBe('La lista')
    await user.click(dialog().getByRole('button', { name: 'Svuota la lista' }))
    expect(dialog().getByText(/La lista è vuota/)).toBeDefined()
    await user.click(dialog().getByRole('button', { name: 'Chiudi' }))
    expect(screen.queryByRole('button', { name: /^Lista/ })).toBeNull()
  })

  it('that was emptied by mistake can be had back as it was', async () => {
    const { user } = openShop(shown([cream, zinc]))
    await add(user, 'Crema', 'Zinco')
    await user.click(bar())
    const first = within(dialog().getByRole('group', { name: 'Quantità di Crema' }))
    await user.click(first.getByRole('button', { name: 'Uno di più' }))
    const before = message()
    await user.click(dialog().getByRole('button', { name: 'Svuota la lista' }))
    await user.click(dialog().getByRole('button', { name: 'Rimetti i prodotti nella lista' }))
    expect(message()).toBe(before)
    expect(document.activeElement?.textContent).toBe('La lista')
  })

  it('has room for 20 products', async () => {
    const offers = Array.from({ length: 21 }, (_, number) => publicOffer(number + 1))
    const { user } = openShop(shown(offers))
    for (const { fields } of offers.slice(0, 20)) await add(user, fields.Nome_Prodotto)
    await add(user, 'Prodotto 21')
    expect(screen.getByText('La lista è piena: ci stanno 20 prodotti.')).toBeDefined()
    expect(bar().textContent).toContain('Lista (20)')
  })
})

describe('the codes of a prescription', () => {
  const NRE = '1300A4000000248'
  const TAX_CODE = 'RSSMRA79B11C566R'
  const pharmacy = { ...publicPharmacy, hasPrescriptionFields: true, hasOrderCodes: true }
  const fields = {
    nre: () => dialog().getByRole<HTMLInputElement>('textbox', { name: /\(NRE\)$/ }),
    taxCode: () => dialog().getByRole<HTMLInputElement>('textbox', { name: 'Codice fiscale' }),
  }
  const hrefs = () => Array.from(document.links, ({ href }) => href).join()
  const describedBy = ({ id }: HTMLInputElement) =>
    document.getElementById(`${id}-hint`)?.textContent

  async function openFields() {
    const shop = openShop(shown([cream], { pharmacy }))
    await add(shop.user, 'Crema')
    await shop.user.click(bar())
    await shop.user.click(dialog().getByText('Hai una ricetta?'))
    return shop
  }

  it('are asked for only by a pharmacy that wants them and can be written to', async () => {
    const none = openShop(shown([cream]))
    await add(none.user, 'Crema')
    await none.user.click(bar())
    expect(dialog().queryByText('Hai una ricetta?')).toBeNull()
    none.unmount()
    const { user } = openShop(shown([cream], { pharmacy: { ...pharmacy, whatsAppNumber: null } }))
    await user.click(bar())
    expect(dialog().queryByText('Hai una ricetta?')).toBeNull()
  })

  it('are in the message alone, from the press on, and stay to be sent again', async () => {
    const opened: string[][] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      opened.push([this.href, this.target, this.rel, `in the document: ${this.isConnected}`])
    })
    onTestFinished(() => click.mockRestore())
    const { user, tracker } = await openFields()
    const plainMessage = message()
    await user.type(fields.nre(), ' 1300a 4000000248 ')
    await user.type(fields.taxCode(), TAX_CODE.toLowerCase())
    // A link could be opened with the middle button, and so without the codes.
    expect(dialog().queryByRole('link')).toBeNull()
    const order = dialog().getByRole('button', { name: 'Ordina via WhatsApp' })
    await user.click(order)
    const text = `${plainMessage}\nCodice fiscale: ${TAX_CODE}\nNRE: ${NRE}\nCodice: ABC234`
    const chat = [
      `https://wa.me/390411234567?text=${encodeURIComponent(text)}`,
      '_blank',
      'noopener noreferrer',
      'in the document: false',
    ]
    expect(opened).toEqual([chat])
    expect(tracker.whatsApp).toHaveBeenCalledExactlyOnceWith([cream.id], 'ABC234')
    dialog().getByText(/Se WhatsApp non si è aperto, premi di nuovo\.$/)
    await user.click(order)
    expect(opened).toEqual([chat, chat])
    const kept = JSON.stringify([localStorage, sessionStorage, history.state])
    expect(kept).toContain('Crema')
    for (const place of [kept, location.href, hrefs()])
      expect(place).not.toMatch(/4000000248|79B11C566/i)
    await user.clear(fields.nre())
    await user.clear(fields.taxCode())
    expect(dialog().queryByText(/premi di nuovo/)).toBeNull()
    expect(message()).toBe(plainMessage)
  })

  it('go with the dialog', async () => {
    const { user } = await openFields()
    await user.type(fields.nre(), NRE)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(bar())
    await user.click(dialog().getByText('Hai una ricetta?'))
    expect(fields.nre().value).toBe('')
  })

  it('are checked once they are whole or left, and are never refused', async () => {
    const { user } = await openFields()
    await user.type(fields.nre(), NRE.slice(0, 14))
    expect(describedBy(fields.nre())).toBe('15 caratteri, sul promemoria del medico.')
    await user.tab()
    await waitFor(() =>
      expect(describedBy(fields.nre())).toBe(
        'Questo codice ha 14 caratteri: ne servono 15. Si può mandare lo stesso.',
      ),
    )
    await user.type(fields.nre(), '8')
    expect(describedBy(fields.nre())).toBe('Il codice è scritto bene.')
    await user.type(fields.taxCode(), 'RSSMRA79B11C566Q')
    expect(describedBy(fields.taxCode())).toContain('Il carattere di controllo non torna')
    expect(dialog().getByRole('button', { name: 'Ordina via WhatsApp' })).toBeDefined()
  })

  it('of a family have room, and what has none is not cut', async () => {
    const { user } = await openFields()
    const family = Array.from({ length: 18 }, (_, n) => `1300A40000002${n + 10}`).join(' ')
    await user.click(fields.nre())
    await user.paste(family)
    await waitFor(() => expect(describedBy(fields.nre())).toBe('Il codice è scritto bene.'))
    await user.paste(` ${NRE}`)
    expect(fields.nre().value).toBe(family)
    expect(describedBy(fields.nre())).toBe(
      'Non è stato aggiunto: qui ci stanno al massimo 300 caratteri.',
    )
  })
})

describe('in the tab', () => {
  it('the list survives a reload, and is that of one pharmacy', async () => {
    const { user, unmount } = openShop(shown([cream]))
    await add(user, 'Crema')
    unmount()
    const other = openShop(
      shown([cream], { pharmacy: { ...publicPharmacy, pharmacy_id: 'B' } }),
      '/offers/B',
    )
    expect(screen.queryByRole('button', { name: /^Lista/ })).toBeNull()
    other.unmount()
    openShop(shown([cream]))
    expect(bar().textContent).toContain('Lista (1)')
  })

  it.each([
    '{',
    '{}',
    '[{"offerId":1}]',
    '[{"offerId":"a","name":"b","quantity":0,"equivalent":true}]',
  ])('what is no list is none: %s', (text) => {
    sessionStorage.setItem('bancone-list:FARM001', text)
    openShop(shown([cream]))
    expect(screen.queryByRole('button', { name: /^Lista/ })).toBeNull()
  })

  it('a product that is not offered any more is taken out, with a word', async () => {
    new StubApi().on(listPublicOffers, () => shown([zinc])).install()
    const { user } = openShop(shown([cream, zinc]))
    await add(user, 'Crema', 'Zinco')
    awayFor(60_001)
    const notice = await screen.findByText(/Non è più in offerta/)
    expect(notice.textContent).toBe('Non è più in offerta e non è più nella lista: Crema')
    expect(bar().textContent).toContain('Lista (1)')
    await user.click(screen.getByRole('button', { name: "Chiudi l'avviso" }))
    expect(screen.queryByText(/Non è più in offerta/)).toBeNull()
  })

  it('that is said in the list which is open, since the page below is not seen', async () => {
    new StubApi().on(listPublicOffers, () => shown([])).install()
    const { user } = openShop(shown([cream, zinc]))
    await add(user, 'Crema', 'Zinco')
    await user.click(bar())
    awayFor(60_001)
    await waitFor(() =>
      expect(dialog().getByRole('status').textContent).toBe(
        'Non sono più in offerta e non sono più nella lista: Crema, Zinco',
      ),
    )
    expect(dialog().getByText(/La lista è vuota/)).toBeDefined()
  })
})
