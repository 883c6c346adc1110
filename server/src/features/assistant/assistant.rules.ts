import { MOST_DESCRIPTION, type ProductDraft } from '@bancone/contract/assistant'
import { readMinsan } from '@bancone/contract/minsan'
import { parsePrice } from '@bancone/contract/money'
import type { AssistantReply } from '../../ports/product-assistant.ts'
import { plainText } from './plain-text.rules.ts'

/** The longest price or code that is shown as it came. */
const MOST_SHOWN = 60

/** `1.234`: of a person a thousand and more, of a model as likely the price of something that costs one. */
const THOUSANDS = /\.\d{3}\D*$/

const MINUS = /^(\D*)[-−]\s*/

/** A model has no bar code before it: six signs of one are the name of something else. */
const LETTERS = /[b-z]/i

/** What the assistant said, with what cannot be used told from what can. */
export function checkedDraft({ description, price, minsan }: AssistantReply): ProductDraft {
  return {
    description: plainText(description ?? '', MOST_DESCRIPTION) || null,
    price: checkedPrice(line(price)),
    minsan: checkedCode(line(minsan)),
  }
}

function line(text: string | null): string {
  return plainText(text ?? '', MOST_SHOWN).replaceAll('\n', ' ')
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
  const read = LETTERS.test(text) ? undefined : readMinsan(text)
  if (!read) return { text, code: null, problem: 'not_a_code' }
  const { code, check } = read
  if (check === 'wrong') return { text, code: null, problem: 'check_digit' }
  return { text, code, problem: check === 'unverified' ? 'unverified' : null }
}
