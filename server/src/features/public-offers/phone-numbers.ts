import type { PublicPharmacy } from '@bancone/contract/public-offers'

type Numbers = Pick<PublicPharmacy, 'callNumber' | 'whatsAppNumber'>

/** Between two numbers that are written into one field; a `/` within one is not followed by a space. */
const SEPARATOR = /[,;|\n]|\s[-–/]\s|\/(?=\s|\+|0\d|3\d{2})|\s(?:o|oppure|e)\s/i

/** What begins so is a mobile, which WhatsApp is more likely to be on. */
const MOBILE = '+393'

/** The numbers that are meant by what a pharmacy has written, of Italy unless they say otherwise. */
export async function phoneNumbers(written: string | null): Promise<Numbers> {
  if (written === null || written.trim() === '') return { callNumber: null, whatsAppNumber: null }
  // What countries' numbers look like is a large table, and most processes never show a page.
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
