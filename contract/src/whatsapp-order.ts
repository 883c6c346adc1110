import { formatPrice } from './money.ts'

/** One product in an order message. */
export type OrderedProduct = {
  name: string
  /** The price of one unit, in cents. */
  cents: number
  quantity: number
  /** Whether an equivalent medicine is accepted. */
  equivalent: boolean
  /** Whether the price is reduced. */
  discounted: boolean
  medicine: boolean
}

/** The most products in one message, since the length of a link is limited. */
export const MAX_ORDERED_PRODUCTS = 20
export const MAX_QUANTITY = 99

/** The codes of a prescription as a customer has typed them; empty without one. */
export type TypedPrescription = { nre: string; taxCode: string }

const NO_PRESCRIPTION: TypedPrescription = { nre: '', taxCode: '' }

/** The most characters of a single code: however it was divided, they belong together. */
const CODE_LENGTH = 16

function typedCode(typed: string): string {
  const code = typed.replaceAll(/[^0-9a-z]/gi, '')
  const isOne = code.length <= CODE_LENGTH
  return (isOne ? code : typed.trim().replaceAll(/\s+/g, ' ')).toUpperCase()
}

/**
 * The codes as the lines of a message, in the order in which the software of pharmacies asks for them. Their names tell
 * `findPrescriptionCodes` what they are.
 */
export function prescriptionLines({ nre, taxCode }: TypedPrescription): string[] {
  return Object.entries({ 'Codice fiscale': typedCode(taxCode), NRE: typedCode(nre) }).flatMap(
    ([name, code]) => (code === '' ? [] : [`${name}: ${code}`]),
  )
}

/**
 * The customer's message to the pharmacy. Several products are numbered, and only medicines have equivalents.
 * @param code an order code, which becomes the last line
 */
export function orderMessage(
  products: readonly OrderedProduct[],
  code: string | null = null,
  prescription = NO_PRESCRIPTION,
): string {
  const asks = products.some(({ medicine }) => medicine) ? 'prenotare' : 'ordinare'
  const several = products.length > 1
  const blocks = products.map((product, index) =>
    [
      several ? `${index + 1}) ${product.name}` : `Prodotto: ${product.name}`,
      `${product.discounted ? 'Prezzo scontato' : 'Prezzo'}: ${priceText(product.cents)}`,
      `Quantità: ${product.quantity}`,
      ...(several && !product.medicine ? [] : [`Equivalente: ${product.equivalent ? 'sì' : 'no'}`]),
    ].join('\n'),
  )
  const opening = `Ciao, vorrei ${asks}:`
  const codes = prescriptionLines(prescription).join('\n')
  const ending = code === null ? [] : [`Codice: ${code}`]
  return [opening, ...blocks, ...(codes === '' ? [] : [codes]), ...ending].join(
    several ? '\n\n' : '\n',
  )
}

/** Without non-breaking spaces, which some keyboards show as a visible character. */
function priceText(cents: number): string {
  return formatPrice(cents).replaceAll('\u00a0', ' ')
}

/**
 * A link that opens a chat with a prepared message.
 * @param number digits only, beginning with the country code
 */
export function whatsAppLink(number: string, text: string): string {
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`
}
