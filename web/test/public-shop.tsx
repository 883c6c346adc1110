import { parseOffersPath, publicOffersPath } from '@bancone/contract/pages'
import {
  type PublicOffer,
  type PublicOffers,
  type PublicPage,
  type PublicPharmacy,
  parseSearch,
} from '@bancone/contract/public-offers'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { onTestFinished, vi } from 'vitest'
import { PublicOffersApp } from '../src/features/public-offers/public-offers-app.tsx'
import { installNativeDialogs } from './native-dialogs.ts'

export const publicPharmacy: PublicPharmacy = {
  name: 'Farmacia San Marco',
  phone: '041 123 4567',
  callNumber: '+390411234567',
  whatsAppNumber: '390411234567',
  address: 'Piazza San Marco 12, Venezia',
  logoUrl: null,
  max_offers: 10,
  pharmacy_id: 'FARM001',
  error: null,
  isCounting: true,
  hasOrderCodes: false,
  hasPrescriptionFields: false,
  profile: null,
}

/** @param number identifies the offer */
export function publicOffer(
  number: number,
  fields: Partial<PublicOffer['fields']> = {},
  rest: Partial<Omit<PublicOffer, 'fields'>> = {},
): PublicOffer {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    createdTime: '2026-06-01T08:00:00.000Z',
    fields: {
      Nome_Prodotto: `Prodotto ${number}`,
      Descrizione: '',
      Categoria: 'Altro',
      Prezzo_Listino: 1000,
      Prezzo_Offerta: 800,
      Data_Inizio: '2026-06-01',
      Stato_Offerta: 'Attiva',
      URL_Immagine: '/images/a_1/v1',
      ...fields,
    },
    prior: { cents: fields.Prezzo_Listino ?? 1000 },
    medicine: false,
    imageSize: null,
    ...rest,
  }
}

export function shown(offers: PublicOffer[], rest: Partial<PublicOffers> = {}): PublicOffers {
  return {
    offers,
    arranged: false,
    pharmacy: publicPharmacy,
    categories: ['Integratori', 'Cosmetici', 'Altro'],
    day: '2026-06-01',
    ...rest,
  }
}

/** The data from which the server would render that address. */
export function pageAt(address: string, content: PublicOffers | null): PublicPage {
  const { pathname, search } = new URL(address, 'https://bancone.example')
  return {
    content,
    search: parseSearch(new URLSearchParams(search)),
    offerId: parseOffersPath(pathname)?.offerId ?? null,
    publicUrl: 'https://bancone.example',
    shareImage: '/share/offers/FARM001/abc.jpg',
  }
}

export function fakeTracker() {
  const left = vi.fn<() => void>()
  return {
    view: vi.fn<() => () => void>(() => left),
    watch: vi.fn<(element: Element | null) => () => void>(() => () => undefined),
    opened: vi.fn<(offerId: string) => void>(),
    orderCode: vi.fn<() => string | null>(() => 'ABC234'),
    whatsApp: vi.fn<(offerIds: readonly string[], code: string | null) => void>(),
    call: vi.fn<() => void>(),
  }
}

/**
 * Renders the public page at that address.
 * @param content what the server rendered; null when it failed; undefined without server rendering
 */
export function openShop(
  content: PublicOffers | null | undefined,
  address = publicOffersPath('FARM001'),
) {
  installNativeDialogs()
  history.pushState(null, '', address)
  onTestFinished(() => {
    history.pushState(null, '', '/')
    document.title = ''
  })
  const tracker = fakeTracker()
  const view = render(
    <PublicOffersApp
      code={parseOffersPath(location.pathname)?.code ?? ''}
      page={content === undefined ? null : pageAt(address, content)}
      publicUrl="https://bancone.example"
      tracker={tracker}
    />,
  )
  return { ...view, tracker, user: userEvent.setup() }
}

export function addressNow(): string {
  return location.pathname + location.search
}
