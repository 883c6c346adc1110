import { MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import type { Day } from '@bancone/contract/dates'
import { parseMinsan } from '@bancone/contract/minsan'
import { formatPrice, MAX_CENTS, parsePrice } from '@bancone/contract/money'
import { messages } from '../../../lib/messages.ts'
import type { OfferDraft, OfferField } from './offer-draft.ts'
import { dayIn } from './offer-fields.ts'

export type FieldErrors = Partial<Record<OfferField, string>>

/** Title and text for the first problem, and the error of each field. */
export type OfferProblems = { title: string; text: string; fields: FieldErrors }

/** Context for the validation. */
type Circumstances = {
  today: Day
  /** The offer's stored end: may be in the past, as long as it is not changed. */
  endBefore: string
  /** Names of the categories; null while they are loading. */
  categories: readonly string[] | null
  medicine: boolean
}

type Found = { title: string; text?: string; fields: FieldErrors }

const prices = ['listPrice', 'offerPrice', 'priorPrice'] as const

/** A well-formed price that is too large. */
const LARGE = /^(\d{6,}|\d{1,3}(\.\d{3})+)([.,]\d{1,2})?$/

function whatIsMissing(draft: OfferDraft, { categories }: Circumstances): Found {
  const { name, category, listPrice, offerPrice } = draft
  const fields: FieldErrors = {}
  if (name.trim() === '') fields.name = 'Scrivi il nome del prodotto.'
  if (category === '') fields.category = 'Scegli una categoria.'
  else if (categories?.includes(category) === false) {
    fields.category = messages['offers.unknown_category']
  }
  if (listPrice.trim() === '') fields.listPrice = 'Scrivi il prezzo di listino.'
  if (offerPrice.trim() === '') fields.offerPrice = 'Scrivi il prezzo in offerta.'
  return { title: 'Dati mancanti', text: 'Compila tutti i campi obbligatori', fields }
}

/** Error text of a typed price; null when it is valid or empty. */
function priceError(text: string): string | null {
  const typed = text.trim()
  if (typed === '') return null
  // Negative numbers get their own message.
  const cents = parsePrice(typed.replace(/^[-−]/, ''))
  if (cents === undefined) {
    return LARGE.test(typed)
      ? `Il prezzo non può superare ${formatPrice(MAX_CENTS)}`
      : 'I prezzi devono essere numeri validi'
  }
  return cents === 0 || /^[-−]/.test(typed) ? 'I prezzi devono essere maggiori di zero' : null
}

/** Errors of the prices, regardless of other fields. */
export function priceErrors(draft: OfferDraft): FieldErrors {
  const fields: FieldErrors = {}
  for (const price of prices) {
    const error = priceError(draft[price])
    if (error !== null) fields[price] = error
  }
  const list = parsePrice(draft.listPrice)
  const offer = parsePrice(draft.offerPrice)
  if (list && offer && offer > list) fields.offerPrice = messages['offers.price_above_list']
  return fields
}

function wrongPicture({ picture }: OfferDraft): Found {
  const text = messages['offers.image_missing']
  return { title: 'Immagine mancante', text, fields: picture === null ? { picture: text } : {} }
}

/** Why the code cannot be saved; null when it can. */
export function codeError(code: string, medicine: boolean): string | null {
  if (code.trim() === '') return null
  const read = parseMinsan(code)
  if (medicine && read?.check !== 'valid') return messages['offers.wrong_code']
  const usable = read !== undefined && read.check !== 'wrong'
  return usable ? null : 'Correggi il codice prodotto, o lascia vuoto il campo.'
}

function wrongCode({ code }: OfferDraft, { medicine }: Circumstances): Found {
  const error = codeError(code, medicine)
  return { title: 'Codice non valido', fields: error === null ? {} : { code: error } }
}

function wrongDescription({ description }: OfferDraft): Found {
  const long = description.trim().length > MAX_DESCRIPTION_LENGTH
  const text = `Al massimo ${MAX_DESCRIPTION_LENGTH} caratteri.`
  return { title: 'Descrizione troppo lunga', fields: long ? { description: text } : {} }
}

function wrongDays({ starts, ends }: OfferDraft, { today, endBefore }: Circumstances): Found {
  const title = 'Date non valide'
  const end = dayIn(ends)
  if (end === null) return { title, fields: {} }
  const start = dayIn(starts) ?? today
  const earliest = start > today || ends === endBefore ? start : today
  return { title, fields: end < earliest ? { ends: messages['offers.ends_too_early'] } : {} }
}

/** Everything that prevents saving; null when nothing does. */
export function offerProblems(draft: OfferDraft, by: Circumstances): OfferProblems | null {
  const found: Found[] = [
    whatIsMissing(draft, by),
    { title: 'Errore nei prezzi', fields: priceErrors(draft) },
    wrongPicture(draft),
    wrongCode(draft, by),
    wrongDescription(draft),
    wrongDays(draft, by),
  ]
  const wrong = found.filter(({ fields }) => Object.keys(fields).length > 0)
  const [first] = wrong
  if (first === undefined) return null
  const { title, text = Object.values(first.fields)[0] ?? '' } = first
  // Each field shows its first error.
  const fields = wrong.reduceRight<FieldErrors>((all, each) => ({ ...all, ...each.fields }), {})
  return { title, text, fields }
}
