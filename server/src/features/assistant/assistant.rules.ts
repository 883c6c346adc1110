import { MAX_DESCRIPTION_LENGTH, type ProductDraft } from '@bancone/contract/assistant'
import { parseMinsan } from '@bancone/contract/minsan'
import { parsePrice } from '@bancone/contract/money'
import type { AssistantReply } from '../../ports/product-assistant.ts'
import { plainText } from './plain-text.rules.ts'

/** Maximum length of a rejected price or code that is shown to the user. */
const MAX_SHOWN = 60

/** `1.234`: typed by a person it means a thousand; from a model it may as well be a price of about one euro. */
const THOUSANDS = /\.\d{3}\D*$/

const MINUS = /^(\D*)[-−]\s*/

/** Letters other than `A`: a model does not read bar codes, so six base-32 characters are a word and no code. */
const LETTERS = /[b-z]/i

/** The assistant's draft, with unusable values separated from usable ones. */
export function checkedDraft({ description, price, minsan }: AssistantReply): ProductDraft {
  return {
    description: plainText(description ?? '', MAX_DESCRIPTION_LENGTH) || null,
    price: checkedPrice(line(price)),
    minsan: checkedCode(line(minsan)),
  }
}

function line(text: string | null): string {
  return plainText(text ?? '', MAX_SHOWN).replaceAll('\n', ' ')
}

function checkedPrice(text: string): ProductDraft['price'] {
  if (text === '') return null
  const cents = THOUSANDS.test(text) ? undefined : parsePrice(text)
  if (cents) return { text, cents, problem: null }
  const isNegative = MINUS.test(text) && parsePrice(text.replace(MINUS, '$1')) !== undefined
  return { text, cents: null, problem: cents === 0 || isNegative ? 'not_positive' : 'not_a_price' }
}

function checkedCode(text: string): ProductDraft['minsan'] {
  if (text === '') return null
  const read = LETTERS.test(text) ? undefined : parseMinsan(text)
  if (!read) return { text, code: null, problem: 'not_a_code' }
  const { code, check } = read
  if (check === 'wrong') return { text, code: null, problem: 'check_digit' }
  return { text, code, problem: check === 'unverified' ? 'unverified' : null }
}
