import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { focused } from '../../../test/focused.ts'
import { addressNow, openShop, publicOffer, shown } from '../../../test/public-shop.tsx'
import { offerLinkId } from './offer-card.tsx'

type User = ReturnType<typeof openShop>['user']

const cream = publicOffer(1, {
  Nome_Prodotto: 'Crema',
  Categoria: 'Cosmetici',
  Descrizione: 'Per il viso.',
})
const tablets = publicOffer(2, { Nome_Prodotto: 'Compresse', Descrizione: 'x' }, { medicine: true })
const address = `/offers/FARM001/${cream.id}`

function dialog() {
  return screen.getByRole('dialog')
}

async function settled() {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

describe('the dialog of an offer', () => {
  it('opens from its picture, with an address and a title of its own', async () => {
    const { user, tracker } = openShop(shown([cream, tablets]))
    await user.click(
      screen.getByRole('link', { name: 'Crema' }).querySelector('img') ?? document.body,
    )
    expect(addressNow()).toBe(address)
    expect(document.title).toBe('Crema a 8,00\u00a0€')
    expect(within(dialog()).getByRole('heading', { name: 'Crema' })).toBeDefined()
    expect(within(dialog()).getByText('Per il viso.')).toBeDefined()
    expect(within(dialog()).getByText('Cosmetici')).toBeDefined()
    expect(within(dialog()).getByRole('link', { name: 'Ordina via WhatsApp' })).toBeDefined()
    expect(tracker.opened).toHaveBeenCalledExactlyOnceWith(cream.id)
    await focused(dialog())
  })

  it('closes with back, and the focus is where it was', async () => {
    const { user } = openShop(shown([cream]), '/offers/FARM001?tipo=offers')
    await user.click(screen.getByRole('link', { name: 'Crema' }))
    expect(addressNow()).toBe(`${address}?tipo=offers`)
    act(() => history.back())
    await settled()
    expect(addressNow()).toBe('/offers/FARM001?tipo=offers')
    expect(document.activeElement?.id).toBe(offerLinkId(cream.id))
    expect(document.title).toBe('Offerte Speciali di Farmacia San Marco')
  })

  it.each([
    ['its button', (user: User) => user.click(screen.getByRole('button', { name: 'Chiudi' }))],
    ['Esc', (user: User) => user.keyboard('{Escape}')],
    ['a press beside it', (user: User) => user.click(dialog())],
  ])('closes with %s, and back then leads away from the page', async (_how, close) => {
    const { user } = openShop(shown([cream]))
    const length = history.length
    await user.click(screen.getByRole('link', { name: 'Crema' }))
    await close(user)
    await settled()
    await waitFor(() => expect(addressNow()).toBe('/offers/FARM001'))
    expect(document.activeElement?.id).toBe(offerLinkId(cream.id))
    // Nothing was added where it was opened but what forward would lead to.
    expect(history.length).toBe(length + 1)
  })

  it('opened by its address closes to the page of all', async () => {
    const { user, tracker } = openShop(shown([cream]), address)
    expect(tracker.opened).toHaveBeenCalledExactlyOnceWith(cream.id)
    const length = history.length
    await user.click(screen.getByRole('button', { name: 'Chiudi' }))
    await settled()
    expect(addressNow()).toBe('/offers/FARM001')
    expect(history.length).toBe(length)
    expect(document.activeElement?.id).toBe(offerLinkId(cream.id))
  })

  it('gives the focus to the title of the page where the filters hide its card', async () => {
    const { user } = openShop(shown([cream]), `${address}?tipo=featured`)
    await user.click(screen.getByRole('button', { name: 'Chiudi' }))
    await settled()
    expect(document.activeElement?.textContent).toBe('Offerte Speciali')
  })

  it('says of a medicine what it costs and that it is reserved, and nothing more', () => {
    openShop(shown([tablets]), `/offers/FARM001/${tablets.id}`)
    expect(within(dialog()).getByRole('link', { name: 'Prenota via WhatsApp' })).toBeDefined()
    expect(within(dialog()).queryByText('x')).toBeNull()
  })

  it('leaves a press with a key held down to the browser', async () => {
    const { user } = openShop(shown([cream]))
    const link = screen.getByRole('link', { name: 'Crema' })
    expect(link.getAttribute('href')).toBe(address)
    const opened = new Promise<boolean>((tell) => {
      window.addEventListener(
        'click',
        (event) => {
          tell(!event.defaultPrevented)
          event.preventDefault()
        },
        { once: true },
      )
    })
    await user.keyboard('{Control>}')
    await user.click(link)
    await user.keyboard('{/Control}')
    expect(await opened).toBe(true)
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the picture of an offer that is opened', () => {
  /** As if the pictures with these addresses had come, and no other. */
  function comes(...came: string[]) {
    const has = (image: HTMLImageElement) => came.includes(image.currentSrc)
    const { prototype } = HTMLImageElement
    vi.spyOn(prototype, 'currentSrc', 'get').mockImplementation(function currentSrc(
      this: HTMLImageElement,
    ) {
      return this.getAttribute('src') ?? ''
    })
    vi.spyOn(prototype, 'complete', 'get').mockImplementation(function complete(
      this: HTMLImageElement,
    ) {
      return has(this)
    })
    vi.spyOn(prototype, 'naturalWidth', 'get').mockImplementation(function naturalWidth(
      this: HTMLImageElement,
    ) {
      return has(this) ? 300 : 0
    })
  }
  const picture = () => screen.getByRole<HTMLImageElement>('img', { name: 'Foto di Crema' })
  const ofCard = '/images/a_1/v1/card'

  it('is that of its card until the larger one has come', async () => {
    vi.stubGlobal('CSS', { escape: (text: string) => text })
    comes(ofCard)
    const { user } = openShop(shown([cream]))
    await user.click(screen.getByRole('link', { name: 'Crema' }))
    expect(picture().style.backgroundImage).toContain(ofCard)
    fireEvent.load(picture())
    expect(picture().style.backgroundImage).toBe('')
  })

  it('is that of its card where the larger one does not come', async () => {
    vi.stubGlobal('CSS', { escape: (text: string) => text })
    comes(ofCard)
    const { user } = openShop(shown([cream]))
    await user.click(screen.getByRole('link', { name: 'Crema' }))
    fireEvent.error(picture())
    expect(picture().getAttribute('src')).toBe(ofCard)
    fireEvent.error(picture())
    expect(picture().getAttribute('src')).toBe('/product-placeholder.svg')
  })
})

describe('sharing', () => {
  const shared = `https://bancone.example${address}?da=condivisione`

  it('is done in the own way of the phone', async () => {
    const share = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue(undefined)
    const { user } = openShop(shown([cream]), `${address}?tipo=offers`)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }))
    await user.click(screen.getByRole('button', { name: 'Condividi' }))
    expect(share).toHaveBeenCalledExactlyOnceWith({ title: 'Crema', url: shared })
  })

  it('copies the address elsewhere, and says so', async () => {
    const { user } = openShop(shown([cream]), address)
    await user.click(screen.getByRole('button', { name: 'Condividi' }))
    expect(await screen.findByText('Link copiato negli appunti.')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe(shared)
  })

  it.each([
    ['AbortError', ''],
    ['NotAllowedError', 'Non è stato possibile condividere il link.'],
  ])('that ends with %s says: «%s»', async (name, said) => {
    const share = vi.fn<() => Promise<void>>().mockRejectedValue(new DOMException('', name))
    const { user } = openShop(shown([cream]), address)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }))
    await user.click(screen.getByRole('button', { name: 'Condividi' }))
    await waitFor(() => expect(share).toHaveBeenCalledOnce())
    const result = screen.getByRole('button', { name: 'Condividi' }).nextElementSibling
    await waitFor(() => expect(result?.textContent).toBe(said))
  })
})
