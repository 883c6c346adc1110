import type { Day } from '@bancone/contract/dates'
import type { ErrorCode } from '@bancone/contract/errors'
import { errorText } from '@bancone/contract/errors'
import type { Medicine } from '@bancone/contract/medicines'
import { formatPrice, MAX_CENTS, parsePrice } from '@bancone/contract/money'
import { offerRefusal, periodError, priceError, productError } from '@bancone/contract/offer-rules'
import { OfferInput } from '@bancone/contract/offers'
import type { Category } from '@bancone/contract/product-categories'
import { z } from 'zod/mini'
import { usableCode } from '../../../features/images/use-image-by-code.ts'
import { LIST_PRICE, OfferDraft, type OfferField } from './offer-draft.ts'
import { centsOf, toOfferInput } from './offer-fields.ts'

/** The field that an error code is about. */
export const errorFields: Partial<Record<ErrorCode, OfferField>> = {
  'offers.price_above_list': 'offerPrice',
  'offers.prior_above_list': 'priorPrice',
  'offers.ends_too_early': 'ends',
  'offers.unknown_category': 'category',
  'offers.wrong_code': 'code',
  'offers.code_missing': 'code',
  'offers.prescription': 'code',
  'offers.not_authorised': 'code',
  'offers.image_missing': 'picture',
}

/** The form's field for a field of `OfferInput`, and the text when it is missing or invalid. */
const inputFields: Record<string, [field: OfferField, text: string]> = {
  Nome_Prodotto: ['name', 'Scrivi il nome del prodotto.'],
  Categoria: ['category', 'Scegli una categoria.'],
  Prezzo_Listino: ['listPrice', 'Scrivi il prezzo di listino.'],
  Prezzo_Offerta: ['offerPrice', 'Scrivi il prezzo in offerta.'],
  URL_Immagine: ['picture', errorText('offers.image_missing')],
  Codice_Minsan: ['code', 'Correggi il codice prodotto, o lascia vuoto il campo.'],
  Descrizione: ['description', ''],
}

/** What cannot be typed wrong, and is shown all the same rather than sent. */
const otherField: [field: OfferField, text: string] = ['name', errorText('request.invalid')]

/** A well-formed price that is too large. */
const LARGE = /^(\d{6,}|\d{1,3}(\.\d{3})+)([.,]\d{1,2})?$/

const prices = ['listPrice', 'offerPrice', 'priorPrice'] as const

/** The error of a typed price; undefined when it is valid or empty. */
export function typedPriceError(field: (typeof prices)[number], draft: OfferDraft) {
  const typed = draft[field].trim()
  if (typed === '' || typed === LIST_PRICE) return undefined
  // Negative numbers get their own message.
  const cents = parsePrice(typed.replace(/^[-−]/, ''))
  if (cents === undefined) {
    return LARGE.test(typed)
      ? `Il prezzo non può superare ${formatPrice(MAX_CENTS)}`
      : 'I prezzi devono essere numeri validi'
  }
  if (cents === 0 || /^[-−]/.test(typed)) return 'I prezzi devono essere maggiori di zero'
  const list = centsOf(draft.listPrice)
  if (field === 'listPrice' || list === null) return undefined
  const code = priceError({
    Prezzo_Listino: list,
    // Each price shows its own error only.
    Prezzo_Offerta: field === 'offerPrice' ? cents : list,
    Prezzo_Precedente: field === 'priorPrice' ? cents : null,
  })
  return code && errorText(code)
}

type Context = {
  today: Day
  /** The end of the stored offer, for an edit. */
  storedEnd: Day | undefined
  /** Null while they are loading. */
  categories: readonly Category[] | null
  /** The code in the register of medicines; null where it is not known, or not yet. */
  medicineOf: (code: string) => Medicine | null
}

/** Validates a draft, and turns it into the fields of the request. A field shows the first of its errors. */
export function offerSchema({ today, storedEnd, categories, medicineOf }: Context) {
  return z.pipe(
    OfferDraft,
    z.transform((draft, { issues }) => {
      const input = toOfferInput(draft, today)
      const report = (field: OfferField | undefined, message: string) =>
        field && issues.push({ code: 'custom', input: draft, path: [field], message })

      for (const price of prices) {
        const message = typedPriceError(price, draft)
        if (message !== undefined) report(price, message)
      }
      const category = categories?.find(({ name }) => name === draft.category)
      const code = usableCode(draft.code)
      const errors = [
        // An edit is the moment to correct the code of a medicine, also where the server would let it stay.
        categories && draft.category && productError(input, undefined, category?.regulatoryClass),
        draft.active &&
          category &&
          offerRefusal(code, category.regulatoryClass, code === null ? null : medicineOf(code)),
        periodError({ Data_Fine: null, ...input }, storedEnd, today),
      ]
      for (const error of errors) if (error) report(errorFields[error], errorText(error))

      const { data = z.NEVER, error } = OfferInput.safeParse(input)
      for (const issue of error?.issues ?? []) {
        const [field, text] = inputFields[String(issue.path[0])] ?? otherField
        const isLong = issue.code === 'too_big' && issue.origin === 'string'
        report(field, isLong ? `Al massimo ${issue.maximum} caratteri.` : text)
      }
      return data
    }),
  )
}

export type OfferSchema = ReturnType<typeof offerSchema>

/** In the order in which they are reported. */
const titles: [OfferField, string][] = [
  ['listPrice', 'Errore nei prezzi'],
  ['offerPrice', 'Errore nei prezzi'],
  ['priorPrice', 'Errore nei prezzi'],
  ['picture', 'Immagine mancante'],
  ['code', 'Codice non valido'],
  ['description', 'Descrizione troppo lunga'],
  ['ends', 'Date non valide'],
]

/** Texts of valid codes of medicines that the law keeps from being published. */
const refusals: readonly (string | undefined)[] = [
  errorText('offers.prescription'),
  errorText('offers.not_authorised'),
  errorText('offers.code_missing'),
]

type Errors = Partial<Record<OfferField, { message?: string | undefined }>>

/** Title and text for the most important one of the errors. */
export function errorSummary(errors: Errors, draft: OfferDraft) {
  const noPrice = (['listPrice', 'offerPrice'] as const).some((price) => draft[price].trim() === '')
  const [field, title] = titles.find(([name]) => errors[name]) ?? []
  if (errors.name || errors.category || noPrice || !field || !title) {
    return { title: 'Dati mancanti', text: 'Compila tutti i campi obbligatori' }
  }
  const { message } = errors[field] ?? {}
  return {
    title: refusals.includes(message) ? 'Non si può pubblicare' : title,
    text: message ?? '',
  }
}
