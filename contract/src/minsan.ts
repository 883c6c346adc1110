import { z } from 'zod/mini'

/** Luhn-like: digits in even positions are doubled and their digits added; the result is the sum modulo 10. */
function checkDigit(digits: string): number {
  const sum = Array.from(digits.slice(0, 8)).reduce((total, digit, index) => {
    const value = Number(digit)
    if (index % 2 === 0) return total + value
    const doubled = 2 * value
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return sum % 10
}

/** The digits of Code 32, which has no A, E, I, O. */
const CODE_32 = '0123456789BCDFGHJKLMNPQRSTUVWXYZ'

const NO_CODE = '000000000'

/** Codes of medicines begin with 0, those of veterinary ones with 10. */
const ofMedicine = /^(?:0|10)/

/**
 * A product code that was typed or scanned.
 * - `valid`: the code of a medicine (AIC; NIN of a veterinary one) with a correct check digit
 * - `unverified`: no code of a medicine, so the check digit rule does not apply; to be used with a warning
 * - `wrong`: the code of a medicine with an incorrect check digit
 */
export type MinsanCode = { code: string; check: 'valid' | 'unverified' | 'wrong' }

/**
 * Parses a product code: nine digits with or without the printed prefix A, eight digits whose leading 0 was lost,
 * or the six characters of the bar code (Code 32, with or without A).
 *
 * @returns undefined for any other text
 */
export function parseMinsan(text: string): MinsanCode | undefined {
  const typed = text.replaceAll(/[\s.-]/g, '').toUpperCase()
  const digits = /^A?(\d{8,9})$/.exec(typed)?.[1]
  const code = digits?.padStart(9, '0') ?? fromCode32(typed)
  // A placeholder for 'no code', although its check digit is correct.
  if (code === undefined || code === NO_CODE) return undefined
  if (!ofMedicine.test(code)) return { code, check: 'unverified' }
  return { code, check: checkDigit(code) === Number(code[8]) ? 'valid' : 'wrong' }
}

function fromCode32(typed: string): string | undefined {
  const signs = /^A?([0-9B-DF-HJ-NP-Z]{6})$/.exec(typed)?.[1]
  // Six digits are a medicine's code without the digits of its package.
  if (!signs || /^\d+$/.test(typed)) return undefined
  const value = Array.from(signs).reduce((number, sign) => number * 32 + CODE_32.indexOf(sign), 0)
  return value < 1_000_000_000 ? String(value).padStart(9, '0') : undefined
}

/** Parses a usable product code into nine digits; refuses one with an incorrect check digit. */
export const Minsan = z.pipe(
  z.string(),
  z.transform((text, { issues }) => {
    const read = text.length <= 40 ? parseMinsan(text) : undefined
    if (read && read.check !== 'wrong') return read.code
    issues.push({ code: 'custom', input: text, message: 'is no product code' })
    return z.NEVER
  }),
)

/** Whether the code is that of a veterinary medicine, which the register of AIFA does not have. @param code nine digits */
export function isVeterinary(code: string): boolean {
  return code.startsWith('10')
}
