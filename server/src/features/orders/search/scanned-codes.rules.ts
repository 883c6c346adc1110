import { barsOf, findPrescriptionCodes } from '@bancone/contract/prescription-codes'

/** What a scanner has typed. `text`: its letters and digits, in upper case. */
export type ScannedCode = { scanned: string; text: string }

/** The second bar of an NRE is the shortest code that is looked for in texts. The first says the region. */
const SHORTEST = 10

export function scannedCode(scanned: string): ScannedCode {
  return { scanned, text: scanned.replaceAll(/[^0-9a-z]/gi, '').toUpperCase() }
}

export const isLongEnough = (code: string) => code.length >= SHORTEST

/** Whether the text of an order has this code, whole or as one of its bars. That of the doctor is not the customer's. */
export function hasCode(text: string, code: string): boolean {
  return (
    isLongEnough(code) &&
    findPrescriptionCodes(text).codes.some(
      (found) =>
        !found.doubts.includes('doctor') && (found.value === code || barsOf(found).includes(code)),
    )
  )
}
