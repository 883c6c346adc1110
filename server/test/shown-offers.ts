import { randomUUID } from 'node:crypto'
import type { PublicOffer, PublicOffers, PublicPharmacy } from '@bancone/contract/public-offers'

/** A public offer: 10,00 € reduced to 8,00 €. Its prior price is the list price. */
export function shownOffer({
  fields,
  ...offer
}: Partial<Omit<PublicOffer, 'fields'>> & {
  fields?: Partial<PublicOffer['fields']>
} = {}): PublicOffer {
  return {
    id: randomUUID(),
    createdTime: '2026-01-20T09:00:00.000Z',
    prior: { cents: fields?.Prezzo_Listino ?? 1000 },
    medicine: false,
    imageSize: null,
    ...offer,
    fields: {
      Nome_Prodotto: 'Supradyn Ricarica',
      Descrizione: 'Vitamine e minerali.',
      Categoria: 'Integratori',
      Prezzo_Listino: 1000,
      Prezzo_Offerta: 800,
      Data_Inizio: '2026-01-20',
      Stato_Offerta: 'Attiva',
      URL_Immagine: '/product-placeholder.svg',
      ...fields,
    },
  }
}

/** The content of the public page of PHARM-0001. */
export function shownOffers(
  offers: PublicOffer[] = [shownOffer()],
  pharmacy: Partial<PublicPharmacy> = {},
): PublicOffers {
  return {
    offers,
    arranged: false,
    pharmacy: {
      name: 'Farmacia San Marco',
      phone: '045 800 1234',
      callNumber: '+390458001234',
      whatsAppNumber: '390458001234',
      address: 'Via Garibaldi 12, 37121 Verona',
      logoUrl: null,
      max_offers: 50,
      pharmacy_id: 'PHARM-0001',
      error: null,
      isCounting: true,
      hasOrderCodes: false,
      hasPrescriptionFields: false,
      profile: null,
      ...pharmacy,
    },
    categories: ['Integratori'],
    day: '2026-01-21',
  }
}
