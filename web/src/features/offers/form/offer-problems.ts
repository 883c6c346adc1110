import { MOST_DESCRIPTION } from '@bancone/contract/assistant'
import type { Day } from '@bancone/contract/dates'
import { readMinsan } from '@bancone/contract/minsan'
import { formatPrice, MOST_CENTS, parsePrice } from '@bancone/contract/money'
import { messages } from '../../../lib/messages.ts'
import type { OfferDraft, OfferField } from './offer-draft.ts'
import { dayIn } from './written-offer.ts'

export type FieldErrors = Partial<Record<OfferField, string>>

/** What is said of the first thing that is wrong, and what stands beside every field. */
export type OfferProblems = { title: string; text: string; fields: FieldErrors }

/** What the draft is judged by. */
type Circumstances = {
  today: Day
  /** The end that the offer has already: it may lie behind, as long as nobody touches it. */
  endBefore: string
  /** The names of the categories there are; null while nobody knows. */
  categories: readonly string[] | null
  medicine: boolean
}

type Found = { title: string; text?: string; fields: FieldErrors }

const prices = ['listPrice', 'offerPrice', 'priorPrice'] as const

/** A price as one would write it, were it not for its size. */
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

/** What is wrong with a price as it was typed; null when nothing is, or nothing was typed. */
function priceError(text: string): string | null {
  const typed = text.trim()
  if (typed === '') return null
  // With a minus it is a number all the same.
  const cents = parsePrice(typed.replace(/^[-−]/, ''))
  if (cents === undefined) {
    return LARGE.test(typed)
      ? `Il prezzo non può superare ${formatPrice(MOST_CENTS)}`
      : 'I prezzi devono essere numeri validi'
  }
  return cents === 0 || /^[-−]/.test(typed) ? 'I prezzi devono essere maggiori di zero' : null
}

/** What is wrong with the prices, whatever else is missing. */
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

/** Why the code cannot be saved as it is; null where it can. */
export function codeError(code: string, medicine: boolean): string | null {
  if (code.trim() === '') return null
  const read = readMinsan(code)
  if (medicine && read?.check !== 'valid') return messages['offers.wrong_code']
  const usable = read !== undefined && read.check !== 'wrong'
  return usable ? null : 'Correggi il codice prodotto, o lascia vuoto il campo.'
}

function wrongCode({ code }: OfferDraft, { medicine }: Circumstances): Found {
  const error = codeError(code, medicine)
  return { title: 'Codice non valido', fields: error === null ? {} : { code: error } }
}

function wrongDescription({ description }: OfferDraft): Found {
  const long = description.trim().length > MOST_DESCRIPTION
  const text = `Al massimo ${MOST_DESCRIPTION} caratteri.`
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

/** All that keeps a draft from being saved; null when nothing does. */
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
  // Beside a field stands the first that is wrong with it.
  const fields = wrong.reduceRight<FieldErrors>((all, each) => ({ ...all, ...each.fields }), {})
  return { title, text, fields }
}
