import type { PublicPharmacy } from '@bancone/contract/public-offers'

type Numbers = Pick<PublicPharmacy, 'callNumber' | 'whatsAppNumber'>

/** Separates several numbers in one field; a `/` within a number is not followed by a space. */
const SEPARATOR = /[,;|\n]|\s[-–/]\s|\/(?=\s|\+|0\d|3\d{2})|\s(?:o|oppure|e)\s/i

/** Prefix of Italian mobile numbers, which are more likely to be on WhatsApp. */
const MOBILE = '+393'

/** Numbers with nothing but a space between them. */
const SPACED = /\s+(?=[03+])/

/** A second ending, as in '041 520 1234 / 5'. It may be the end of the number as well: both are read. */
const SECOND_ENDING = /(?<=\d)\s*\/\s*\d{1,2}\s*$/

/** The valid phone numbers in a text, in E.164; without a country code they are Italian. */
export async function numbersIn(written: string | null): Promise<string[]> {
  if (written === null || written.trim() === '') return []
  // Loaded on demand: the tables of numbers are large, and most processes never render a page.
  const { findPhoneNumbersInText, parsePhoneNumberFromString } = await import(
    'libphonenumber-js/min'
  )
  const single = (text: string): string[] => {
    const read = parsePhoneNumberFromString(text, 'IT')
    const number = read?.isValid() ? [read.number] : []
    const shorter = text.replace(SECOND_ENDING, '')
    return shorter === text ? number : [...single(shorter), ...number]
  }
  const amongWords = (text: string): string[] =>
    findPhoneNumbersInText(text, 'IT').flatMap(({ number }) =>
      number.isValid() ? [number.number] : [],
    )
  const inPart = (text: string): string[] => {
    const whole = single(text)
    if (whole.length > 0) return whole
    const found = amongWords(text)
    if (found.length > 0) return found
    const spaced = text.split(SPACED).map(single)
    return spaced.every((numbers) => numbers.length > 0) ? spaced.flat() : []
  }
  const whole = single(written)
  return whole.length > 0 ? whole : written.split(SEPARATOR).flatMap(inPart)
}

/** Whether a text has a valid phone number, or is none: Excel takes zeros away and makes powers of long numbers. */
export async function isCallable(written: string | null): Promise<boolean> {
  return written === null || (await numbersIn(written)).length > 0
}

/** The phone numbers in a text by which a person is called, and found at WhatsApp. */
export async function phoneNumbers(written: string | null): Promise<Numbers> {
  const numbers = await numbersIn(written)
  const chat = numbers.find((number) => number.startsWith(MOBILE)) ?? numbers[0]
  return { callNumber: numbers[0] ?? null, whatsAppNumber: chat?.slice(1) ?? null }
}
