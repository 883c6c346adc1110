import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A phone number for links. `call`: a `tel:` URI; `whatsApp`: digits with the country code. */
export type PhoneNumber = { call: string; whatsApp: string }

/**
 * Parses a phone number as typed. Without a country code it is Italian.
 *
 * @returns null when it is not a valid number
 */
export function readPhone(text: string): PhoneNumber | null {
  const number = parsePhoneNumberFromString(text, 'IT')
  if (!number?.isPossible()) return null
  return { call: number.getURI(), whatsApp: number.number.slice(1) }
}

/** Opens a WhatsApp chat with a prefilled text, which the user sends there. */
export function whatsAppLink({ whatsApp }: PhoneNumber, text: string): string {
  return `https://wa.me/${whatsApp}?text=${encodeURIComponent(text)}`
}
