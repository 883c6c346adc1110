import { ORDER_CODE_LENGTH, ORDER_CODE_SIGNS } from '@bancone/contract/order-codes'

/** The whole message, without what surrounds the words. */
const words = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\d\s]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const STOP = new Set(['stop', 'basta', 'annulla'])
const START = new Set(['avvisami', 'si avvisami'])

/** What a customer asks for with one word: no notices any more, or notices. */
export function wishOf(text: string): 'stop' | 'start' | undefined {
  const said = words(text)
  if (STOP.has(said)) return 'stop'
  return START.has(said) ? 'start' : undefined
}

const CODE = new RegExp(`^Codice: ([${ORDER_CODE_SIGNS}]{${ORDER_CODE_LENGTH}})\\s*$`, 'm')

/** The code of the public page in an order message. */
export function orderCodeOf(text: string): string | undefined {
  return CODE.exec(text)?.[1]
}
