/**
 * The format of the workflow's response: fields, or JSON in `output`, also as n8n and language models produce
 * it.
 */
type Wording = 'fields' | 'output' | 'fenced' | 'list'

export type Product = {
  name: string
  description: string
  /** As free text; some are invalid. */
  price: string | number
  /** Empty when it is unknown; some are invalid. */
  minsan: string
  wording: Wording
}

/** The products that the sandbox knows. Prices are invented, and the codes do not match real packs. */
export const products: readonly Product[] = [
  {
    name: 'Tachipirina',
    description:
      'Compresse a base di paracetamolo, per febbre e dolori lievi o moderati. È un medicinale: leggi attentamente il foglio illustrativo.',
    price: '€ 5,90',
    minsan: '012745093',
    wording: 'fields',
  },
  {
    name: 'Enterogermina',
    description:
      'Flaconcini con spore di Bacillus clausii, per ritrovare l’equilibrio della flora batterica intestinale. È un medicinale: leggi attentamente il foglio illustrativo.',
    price: '12,50 €',
    minsan: 'A013046038',
    wording: 'fenced',
  },
  {
    name: 'Aspirina',
    description:
      'Compresse con acido acetilsalicilico, per mal di testa, dolori e febbre. È un medicinale: leggi attentamente il foglio illustrativo.',
    price: 7.9,
    minsan: '004763037',
    wording: 'output',
  },
  {
    name: 'Voltaren',
    description:
      'Gel con diclofenac da applicare sulla pelle, per dolori di articolazioni e muscoli. È un medicinale: leggi attentamente il foglio illustrativo.',
    price: '11.40',
    minsan: '34548014',
    wording: 'list',
  },
  {
    name: 'Deursil',
    description:
      'Capsule con acido ursodesossicolico. Medicinale soggetto a prescrizione medica: chiedi al medico o al farmacista.',
    price: '€ 9,20',
    minsan: '023605114',
    wording: 'output',
  },
  {
    name: 'Crema solare',
    description:
      'Protezione solare molto alta per il viso, leggera e resistente all’acqua. Adatta alle pelli sensibili: applicala ogni due ore.',
    price: '€ 18,90',
    // Not a medicine's code: it has no check digit.
    minsan: '973344518',
    wording: 'fields',
  },
  {
    name: 'Oki',
    description: 'Bustine di granulato per il mal di testa e i dolori di breve durata.',
    price: '€ 8,50',
    // With a wrong check digit.
    minsan: '028511099',
    wording: 'fields',
  },
  {
    name: 'Gaviscon',
    description: 'Sospensione in bustine per bruciore di stomaco e reflusso. Gusto menta.',
    price: 'circa 12 euro',
    minsan: '',
    wording: 'output',
  },
]

/** The product that a text names; undefined for none of these. */
export function findProduct(text: string): Product | undefined {
  const lower = text.toLowerCase()
  return products.find(({ name }) => lower.includes(name.toLowerCase()))
}
