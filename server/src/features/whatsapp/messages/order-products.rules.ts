import { isMedicineOffer } from '@bancone/contract/offer-rules'
import { findPrescriptionCodes } from '@bancone/contract/prescription-codes'
import type { RegulatoryClass } from '@bancone/contract/product-categories'

/** An offer of the pharmacy, now or before. */
export type KnownProduct = {
  name: string
  code: string | null
  regulatoryClass: RegulatoryClass
}

const normalized = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** The products in the message of the public page, which is also the text of the order; undefined for any other text. */
function namedProducts(details: string): string[] | undefined {
  const names = details
    .split('\n')
    .map((line) => /^\s*(?:Prodotto:|\d+\))\s+(\S.*)$/.exec(line)?.[1])
    .filter((name) => name !== undefined)
  return names.length > 0 ? names : undefined
}

/** The products of an order as they are compared, in lower case; a text that is not of the public page is one. */
export function productNames(details: string | null): string[] {
  const text = details ?? ''
  return (namedProducts(text) ?? [text]).map(normalized)
}

/**
 * Why an order is not announced by itself: it holds medicines, a prescription or medical devices, or products of which
 * that is not known.
 * Null only where every product is an offer of the pharmacy that is none.
 *
 * @param isInRegister whether a product has the name of a medicine
 */
export function productsOf(
  details: string | null,
  known: readonly KnownProduct[],
  isInRegister: boolean,
): 'medicine' | 'unknown_products' | null {
  const text = details ?? ''
  if (/^\s*ciao, vorrei prenotare/i.test(text) || isInRegister) return 'medicine'
  if (findPrescriptionCodes(text).codes.length > 0) return 'medicine'
  const found = productNames(details).map((name) =>
    known.filter((offer) => normalized(offer.name) === name),
  )
  const isRegulated = ({ code, regulatoryClass }: KnownProduct) =>
    isMedicineOffer(code, regulatoryClass) || regulatoryClass !== 'libero'
  if (found.flat().some(isRegulated)) return 'medicine'
  return found.some((offers) => offers.length === 0) ? 'unknown_products' : null
}

/** The most words of a medicine's name. */
const NAME_WORDS = 5

const beginnings = (words: readonly string[]) =>
  words.slice(0, NAME_WORDS).map((_, index) => words.slice(0, index + 1).join(' '))

/** The beginnings of each product's name, in lower case, which may be the name of a medicine. */
export function nameBeginnings(details: string | null): string[] {
  const text = details ?? ''
  return (namedProducts(text) ?? text.split(/[\n,;]/)).flatMap((name) =>
    beginnings(normalized(name).split(' ').filter(Boolean)),
  )
}

/** All that may be the name of a medicine in a text for a customer, in lower case. */
export function possibleNames(text: string): string[] {
  const words = normalized(text)
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)
  const names = words.flatMap((_, start) => beginnings(words.slice(start)))
  return [...new Set(names)].filter((name) => name.length >= 3 && !COMMON.has(name))
}

/** Words for medicines in general. 'Farmacia' is none of them. */
const MEDICINE_WORDS = /\b(?:farmac[oi]|medicinal[ei]|medicin[ae])\b/i

/** Words of orders that name no product. */
const COMMON = new Set(
  `ciao vorrei ordinare prenotare prodotto prodotti prezzo scontato quantità equivalente codice ordine grazie buongiorno
  buonasera salve confezione confezioni scatola scatole pezzi pezzo compresse bustine capsule flacone domani oggi mattina
  pomeriggio sera ritiro ritirare passo passare farmacia quando possibile appena pronto pronta disponibile arrivato
  cortesia favore richiesta subito ancora anche della delle dello degli nella sono siete come cosa quale questo questa
  tutto bene così senza oppure essere avere volta giorno giorni settimana ricetta ricette impegnativa numero numeri
  codici fiscale caratteri tessera sanitaria medico foto documento documenti`.split(/\s+/),
)

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word.length >= 4 && !/^\d+$/.test(word) && !COMMON.has(word))

/**
 * Whether a text for a customer names what was ordered, or a medicine.
 *
 * @param own what the pharmacy may say of itself and of the customer: their names
 */
export function namesProduct(
  text: string,
  details: string | null,
  own: readonly string[],
): boolean {
  if (MEDICINE_WORDS.test(text)) return true
  const allowed = new Set(own.flatMap(wordsOf))
  const ordered = new Set(wordsOf(details ?? '').filter((word) => !allowed.has(word)))
  return wordsOf(text).some((word) => ordered.has(word))
}
