/** A line of an order's text that names something to be had. `place`: of all lines of the text, from 0. */
export type OrderLine = { place: number; text: string }

/** As in the function `order_lines` of the database, by which places follow their lines. */
export const LINE_END = /\r\n?|\n/

/** What the messages of the public page say of a product or a prescription, each in a line of its own. */
const NAMED =
  /^(?:prezzo(?: scontato)?|quantit[^\s:]*|equivalente|codice(?: fiscale)?|c\.?f\.?|nre|nrbe|pin)\s*:/i

/** NRE and codici fiscali alone, however they are divided. */
const CODE_NAMES = /\b(?:nre|cf|codice|fiscale|ricetta|impegnativa|numero|n)\b/gi
const CODES = /^(?:[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]|\d{3}[0-9A-Z]{2}\d{10})+$/i

const COURTESY =
  /^(?:(?:ciao|salve|buon ?giorno|buon ?pomeriggio|buona ?sera|buona ?giornata|dottore|dottoressa|grazie|mille|tante|molte|in anticipo|cordiali|distinti|saluti|arrivederci|a presto)(?: |$))+$/i

/**
 * The lines of an order's text that may be products. Left out is only what is surely none: headings, prices,
 * quantities, codes of prescriptions, greetings. With a product left out, an order would be ready without it.
 */
export function orderLines(text: string): OrderLine[] {
  return text
    .split(LINE_END)
    .map((line, place) => ({ place, text: line.trim() }))
    .filter((line) => mayBeProduct(line.text))
}

function mayBeProduct(line: string): boolean {
  const words = line.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  // Without letters it is a quantity, unless it is the number of a product.
  if (!/\p{L}|\d{6}/u.test(words)) return false
  const codes = words.replaceAll(CODE_NAMES, '').replaceAll(' ', '')
  return !(line.endsWith(':') || NAMED.test(line) || COURTESY.test(words) || CODES.test(codes))
}
