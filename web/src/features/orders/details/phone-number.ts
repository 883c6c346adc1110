import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A telephone number as links want it. `whatsApp`: the digits with the country's, and nothing else. */
export type PhoneNumber = { call: string; whatsApp: string }

/**
 * What the order store holds as a number, which may have been typed by anybody. One without the code of a
 * country is Italian.
 *
 * @returns null when it cannot be understood: then nothing is dialled
 */
export function readPhone(text: string): PhoneNumber | null {
  const number = parsePhoneNumberFromString(text, 'IT')
  if (!number?.isPossible()) return null
  return { call: number.getURI(), whatsApp: number.number.slice(1) }
}

/** Opens a chat with that number, with a text in the field: it is sent by whoever reads it there. */
export function whatsAppLink({ whatsApp }: PhoneNumber, text: string): string {
  return `https://wa.me/${whatsApp}?text=${encodeURIComponent(text)}`
}
