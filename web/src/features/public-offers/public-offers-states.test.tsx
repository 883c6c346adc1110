import { listPublicOffers } from '@bancone/contract/public-offers'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { awayFor } from '../../../test/away-for.ts'
import { openShop, publicOffer, publicPharmacy, shown } from '../../../test/public-shop.tsx'
import { deferred, failure, rawReply, StubApi } from '../../../test/stub-api.ts'

const LOAD_FAILED = 'Si è verificato un errore nel caricamento delle offerte. Riprova più tardi.'

describe('what a customer reads where there are no offers', () => {
  it.each([
    ['ID farmacia non valido', 'Errore', 'ID farmacia non valido'],
    ['Farmacia non trovata', 'Errore', 'Farmacia non trovata'],
    [
      'Farmacia non attiva',
      'Farmacia non attiva',
      'Questa farmacia non è attualmente attiva sulla piattaforma.',
    ],
    [
      'Funzionalità offerte non disponibile',
      'Offerte non disponibili',
      'Questa farmacia non ha attivato la funzionalità offerte.',
    ],
  ] as const)('%s', (error, title, text) => {
    const { tracker } = openShop(shown([], { error, pharmacy: null }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
    expect(screen.getByText(text)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Torna alla Home' }).getAttribute('href')).toBe('/')
    expect(screen.queryByRole('link', { name: 'Riprova' })).toBeNull()
    expect(tracker.view).not.toHaveBeenCalled()
  })

  it('with the pharmacy and its telephone below, where there is one', () => {
    openShop(shown([], { error: 'Farmacia non attiva' }))
    expect(screen.getByText('Farmacia San Marco')).toBeDefined()
    const calls = ['041 123 4567', 'Chiama la farmacia'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    )
    expect(calls).toEqual(['tel:+390411234567', 'tel:+390411234567'])
    expect(screen.getByRole('link', { name: 'Torna alla Home' })).toBeDefined()
  })

  it('when there are none at the moment', () => {
    openShop(shown([]))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Offerte Speciali')
    expect(screen.getByText('Nessuna offerta disponibile')).toBeDefined()
    expect(
      screen.getByText('Al momento non ci sono offerte attive per questa farmacia.'),
    ).toBeDefined()
    expect(screen.queryByLabelText('Categoria')).toBeNull()
  })

  it('when the address names no pharmacy', () => {
    openShop(undefined, '/offers/%20')
    expect(screen.getByText('ID farmacia non valido')).toBeDefined()
  })
})

describe('the page that the server has not drawn', () => {
  it('loads its offers, and says so meanwhile', async () => {
    const answer = deferred<ReturnType<typeof shown>>()
    new StubApi().on(listPublicOffers, () => answer.promise).install()
    const { tracker } = openShop(undefined)
    expect(screen.getByRole('status').textContent).toBe('Caricamento offerte in corso...')
    expect(tracker.view).not.toHaveBeenCalled()
    answer.resolve(shown([publicOffer(1)]))
    expect(await screen.findByRole('article')).toBeDefined()
    await waitFor(() => expect(tracker.view).toHaveBeenCalledOnce())
    expect(document.title).toBe('Offerte Speciali di Farmacia San Marco')
  })

  it.each([
    ['is not there', failure('route.not_found')],
    ['answers something else', rawReply('{"offers":[{}]}', 200)],
    ['answers a page', rawReply('<!doctype html>', 200)],
  ])('says it when the server %s, and tries again when it is told to', async (_how, reply) => {
    const api = new StubApi().on(listPublicOffers, () => reply)
    api.install()
    const { user } = openShop(undefined)
    expect(await screen.findByText(LOAD_FAILED)).toBeDefined()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Errore')
    api.on(listPublicOffers, () => shown([publicOffer(1)]))
    await user.click(screen.getByRole('link', { name: 'Riprova' }))
    expect(await screen.findByRole('article')).toBeDefined()
  })

  it('leaves the focus at the title of what comes when it tries again', async () => {
    const api = new StubApi().on(listPublicOffers, () => failure('route.not_found'))
    api.install()
    const { user } = openShop(undefined)
    await user.click(await screen.findByRole('link', { name: 'Riprova' }))
    const title = () => document.activeElement?.textContent
    await waitFor(() => expect(title()).toBe('Errore'))
    api.on(listPublicOffers, () => shown([publicOffer(1)]))
    await user.click(screen.getByRole('link', { name: 'Riprova' }))
    await waitFor(() => expect(title()).toBe('Offerte Speciali'))
  })
})

it('what the server could not load can be tried again', async () => {
  new StubApi().on(listPublicOffers, () => shown([publicOffer(1)])).install()
  const { user } = openShop(null)
  expect(screen.getByText(LOAD_FAILED)).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Riprova' }))
  expect(await screen.findByRole('article')).toBeDefined()
})

describe('who comes back to the page', () => {
  it('after more than a minute sees what is offered now', async () => {
    const api = new StubApi().on(listPublicOffers, () => shown([publicOffer(2)]))
    api.install()
    openShop(shown([publicOffer(1)]))
    awayFor(60_001)
    expect(await screen.findByText('Prodotto 2')).toBeDefined()
    expect(screen.queryByText('Prodotto 1')).toBeNull()
  })

  it('sooner sees what was there', () => {
    const api = new StubApi()
    api.install()
    openShop(shown([publicOffer(1)]))
    awayFor(60_000)
    expect(api.requests).toEqual([])
  })

  it('keeps what was there when nothing newer comes', async () => {
    const api = new StubApi().on(listPublicOffers, () => failure('route.not_found'))
    api.install()
    openShop(shown([publicOffer(1)]))
    awayFor(60_001)
    await waitFor(() => expect(api.requests).toHaveLength(1))
    expect(screen.getByText('Prodotto 1')).toBeDefined()
  })

  it('is told when the offer that was open is gone', async () => {
    new StubApi().on(listPublicOffers, () => shown([publicOffer(2)])).install()
    openShop(shown([publicOffer(1)]), `/offers/FARM001/${publicOffer(1).id}`)
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    awayFor(60_001)
    const notice = await screen.findByText('Questa offerta non è più disponibile')
    expect(screen.queryByRole('dialog')).toBeNull()
    // Wherever the page was scrolled to, it is seen, and the keyboard goes on there.
    await waitFor(() => {
      const [shownPlace] = scroll.mock.contexts
      expect(shownPlace instanceof Element && shownPlace.contains(notice)).toBe(true)
    })
    expect(document.activeElement?.textContent).toBe('Offerte Speciali')
  })
})

describe('the head and the foot of the page', () => {
  it('say whose it is, and how to call', async () => {
    const { user, tracker } = openShop(shown([publicOffer(1)]))
    expect(screen.getByRole('banner').textContent).toContain('Farmacia San Marco')
    expect(screen.getByText('Powered by Bancone')).toBeDefined()
    const call = screen.getByRole('link', { name: 'Chiama Farmacia San Marco' })
    expect(call.getAttribute('href')).toBe('tel:+390411234567')
    // On paper.
    expect(screen.getByText(`Tel. ${publicPharmacy.phone}`)).toBeDefined()
    call.addEventListener('click', (event) => event.preventDefault())
    await user.click(call)
    expect(tracker.call).toHaveBeenCalledOnce()
  })

  it('show what cannot be called as it is written', () => {
    const pharmacy = { ...publicPharmacy, callNumber: null, phone: 'interno 12' }
    openShop(shown([publicOffer(1)], { pharmacy }))
    expect(screen.getByText('Tel. interno 12')).toBeDefined()
    expect(screen.queryByRole('link', { name: /^Chiama/ })).toBeNull()
  })

  it('show its logo, or its initials', () => {
    const logo = { ...publicPharmacy, logoUrl: '/images/l_1/v1' }
    const { unmount } = openShop(shown([], { pharmacy: logo }))
    expect(document.querySelector('header img')?.getAttribute('src')).toBe(
      '/images/l_1/v1/thumbnail',
    )
    unmount()
    openShop(shown([]))
    expect(screen.getByText('SM')).toBeDefined()
  })
})
