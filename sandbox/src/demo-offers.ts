import { addDays, type Day } from '@bancone/contract/dates'
import type { OfferFields } from '@bancone/contract/offers'
import type { ProductCategory } from '@bancone/contract/product-categories'
import { renderPack } from './product-images/pack.ts'

export type DemoOffer = {
  fields: Omit<OfferFields, 'Data_Fine' | 'Farmacia_ID' | 'URL_Immagine' | 'CloudinaryID'> & {
    Data_Fine: Day | null
  }
  /** As PNG. */
  picture(): Promise<Buffer>
}

type Product = {
  name: string
  /** The text on the pack. */
  short: string
  description: string
  category: ProductCategory
  minsan?: string
  list: number
  price: number
  /** The lowest price of the 30 days before, where it was lower than the list price. */
  prior?: number
  /** Days from today. */
  from?: number
  to?: number
  inactive?: boolean
}

/** The oldest first. Prices and products are invented, except for the medicine. */
const products: readonly Product[] = [
  {
    name: 'Vitamina C masticabile, 60 compresse',
    short: 'Vitamina C',
    description: 'Compresse masticabili al gusto di arancia, una al giorno.',
    category: 'Integratori',
    list: 1290,
    price: 990,
    from: -40,
    to: -10,
  },
  {
    name: 'Crema mani nutriente 75 ml',
    short: 'Crema mani',
    description: 'Con burro di karité e glicerina, per le mani secche e screpolate. Non unge.',
    category: 'Cosmetici',
    list: 690,
    price: 550,
    inactive: true,
  },
  {
    name: 'Shampoo per cani a pelo lungo 250 ml',
    short: 'Shampoo cani',
    description: 'Deterge e scioglie i nodi, con avena e aloe. Per uso frequente.',
    category: 'Veterinaria',
    list: 1150,
    price: 890,
    from: 7,
    to: 37,
  },
  {
    name: 'Pannolini taglia 4 (7-18 kg), 44 pezzi',
    short: 'Pannolini 4',
    description: 'Morbidi e traspiranti, con indicatore di bagnato. Confezione formato famiglia.',
    category: 'Mamma e bambino',
    list: 1690,
    price: 1690,
  },
  {
    name: 'Misuratore di pressione da braccio',
    short: 'Pressione OK',
    description:
      'Automatico, con bracciale universale 22-42 cm e memoria per due persone. È un dispositivo medico CE: leggi le avvertenze e le istruzioni.',
    category: 'Dispositivi medici',
    list: 5990,
    price: 4490,
  },
  {
    name: 'Shampoo delicato 400 ml',
    short: 'Shampoo',
    description: 'Per tutta la famiglia, con camomilla e senza solfati.',
    category: 'Igiene personale',
    list: 990,
    price: 750,
    prior: 890,
  },
  {
    name: 'Magnesio e potassio, 30 bustine',
    short: 'Mg e K',
    description: 'Gusto arancia, senza zuccheri. Una bustina al giorno sciolta in acqua.',
    category: 'Integratori',
    list: 1490,
    price: 1090,
    to: 45,
  },
  {
    name: 'Crema solare viso SPF 50+, 50 ml',
    short: 'Crema solare',
    description:
      'Protezione solare molto alta per il viso, leggera e resistente all’acqua. Adatta alle pelli sensibili: applicala ogni due ore.',
    category: 'Cosmetici',
    minsan: '973344518',
    list: 1890,
    price: 1320,
    to: 20,
  },
  {
    name: 'Tachipirina 500 mg, 20 compresse',
    short: 'Tachipirina',
    description: '',
    category: 'Farmaci da banco',
    minsan: '012745093',
    list: 590,
    price: 490,
  },
]

/** The offers of the demo's first pharmacy: at least one of each kind, each with a picture. */
export function demoOffers(today: Day): DemoOffer[] {
  return products.map((product) => ({
    fields: {
      Nome_Prodotto: product.name,
      Descrizione: product.description,
      Categoria: product.category,
      Codice_Minsan: product.minsan ?? null,
      Prezzo_Listino: product.list,
      Prezzo_Offerta: product.price,
      Prezzo_Precedente: product.prior ?? product.list,
      Data_Inizio: addDays(today, product.from ?? 0),
      Data_Fine: product.to === undefined ? null : addDays(today, product.to),
      Stato_Offerta: product.inactive ? 'Inattiva' : 'Attiva',
    },
    picture: () => renderPack(product.short, product.minsan ?? null),
  }))
}
