/** The codice fiscale of a person: its form, its check letter, and what of it cannot be. */

/** L is a letter, D a digit or the letter that stands for it when two people would have the same code (omocodia). */
export const TAX_CODE_FORM = 'LLLLLLDDLDDLDDDL'

/** The letters that stand for the digits 0 to 9. */
const OMOCODIA = 'LMNPQRSTUV'

/** January to December. */
const MONTHS = 'ABCDEHLMPRST'

/** What characters in odd places count, for 0 to 9 and for A to Z (decree of 23 December 1976). */
const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** @param code at least the first 15 characters, in upper case */
export function checkLetter(code: string): string {
  const sum = Array.from(code.slice(0, TAX_CODE_FORM.length - 1)).reduce((total, sign, index) => {
    const value = /\d/.test(sign) ? Number(sign) : LETTERS.indexOf(sign)
    // The first place is an odd one.
    return total + (index % 2 === 0 ? (ODD_VALUES[value] ?? 0) : value)
  }, 0)
  return LETTERS.charAt(sum % LETTERS.length)
}

/** Whether the month and the day can be. The days of women are 41 to 71. @param code of the right form */
export function hasBirthDate(code: string): boolean {
  const day = Number(
    code.slice(9, 11).replaceAll(/\D/g, (letter) => String(OMOCODIA.indexOf(letter))),
  )
  return MONTHS.includes(code.charAt(8)) && day <= 71 && day % 40 >= 1 && day % 40 <= 31
}

/** Whether the last of 11 digits is the check digit of a partita IVA, and so of a temporary codice fiscale. */
export function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits).reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return sum % 10 === 0
}
