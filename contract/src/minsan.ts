import { z } from 'zod'

/** Odd places as they are, even ones doubled with the digits of the result added; the last digit of the sum. */
function checkDigit(digits: string): number {
  const sum = Array.from(digits.slice(0, 8)).reduce((total, digit, index) => {
    const value = Number(digit)
    if (index % 2 === 0) return total + value
    const doubled = 2 * value
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return sum % 10
}

/** The numbers of Code 32: no A, E, I, O. */
const CODE_32 = '0123456789BCDFGHJKLMNPQRSTUVWXYZ'

const NO_CODE = '000000000'

/**
 * What somebody typed or scanned as a product code.
 * - `valid`: a medicine's (AIC), and its check digit is right
 * - `unverified`: it does not begin with 0, so that of its check digit nothing is known, also when it would be
 *   right: to be used with a warning
 * - `wrong`: its check digit says that a digit is wrong
 */
export type MinsanCode = { code: string; check: 'valid' | 'unverified' | 'wrong' }

/**
 * Reads a product code: nine digits, with or without the A that is printed before them, eight of which the
 * leading 0 was lost, or the six signs of the bar code (Code 32, with or without A).
 *
 * @returns undefined when it is none of these
 */
export function readMinsan(text: string): MinsanCode | undefined {
  const typed = text.replaceAll(/[\s.-]/g, '').toUpperCase()
  const digits = /^A?(\d{8,9})$/.exec(typed)?.[1]
  const code = digits?.padStart(9, '0') ?? fromCode32(typed)
  // Nobody's: what stands where there is no code, and its check digit is right.
  if (code === undefined || code === NO_CODE) return undefined
  if (!code.startsWith('0')) return { code, check: 'unverified' }
  return { code, check: checkDigit(code) === Number(code[8]) ? 'valid' : 'wrong' }
}

function fromCode32(typed: string): string | undefined {
  const signs = /^A?([0-9B-DF-HJ-NP-Z]{6})$/.exec(typed)?.[1]
  // Six digits alone are a medicine's code without that of its pack.
  if (!signs || /^\d+$/.test(typed)) return undefined
  const value = Array.from(signs).reduce((number, sign) => number * 32 + CODE_32.indexOf(sign), 0)
  return value < 1_000_000_000 ? String(value).padStart(9, '0') : undefined
}

/** A product code that may be used, as nine digits. */
export const Minsan = z.string().transform((text, context) => {
  const read = text.length <= 40 ? readMinsan(text) : undefined
  if (read && read.check !== 'wrong') return read.code
  context.addIssue({ code: 'custom', message: 'is no product code' })
  return z.NEVER
})
