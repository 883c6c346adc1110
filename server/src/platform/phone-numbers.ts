import type { PublicPharmacy } from '@bancone/contract/public-offers'

type Numbers = Pick<PublicPharmacy, 'callNumber' | 'whatsAppNumber'>

/** Separates several numbers in one field; a `/` within a number is not followed by a space. */
const SEPARATOR = /[,;|\n]|\s[-–/]\s|\/(?=\s|\+|0\d|3\d{2})|\s(?:o|oppure|e)\s/i

/** Prefix of Italian mobile numbers, which are more likely to be on WhatsApp. */
const MOBILE = '+393'

/** Parses the phone numbers in a text; without a country code they are Italian. */
export async function phoneNumbers(written: string | null): Promise<Numbers> {
  if (written === null || written.trim() === '') return { callNumber: null, whatsAppNumber: null }
  // Loaded on demand: the tables of numbers are large, and most processes never render a page.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const numberIn = (text: string) => {
    const read = parsePhoneNumberFromString(text, 'IT')
    return read?.isValid() ? [read.number] : []
  }
  const whole = numberIn(written)
  const numbers = whole.length > 0 ? whole : written.split(SEPARATOR).flatMap(numberIn)
  const chat = numbers.find((number) => number.startsWith(MOBILE)) ?? numbers[0]
  return { callNumber: numbers[0] ?? null, whatsAppNumber: chat?.slice(1) ?? null }
}
