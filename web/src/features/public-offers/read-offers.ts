import type { PublicOffer, PublicOffers, PublicPharmacy } from '@bancone/contract/public-offers'

// Validates responses by hand: the contract's schemas would be a fifth of the code that a customer's phone loads. The
// data comes from this application's server, so only what would break the page is checked.

type Known = Record<string, unknown>

function isKnown(value: unknown): value is Known {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function has(value: Known, type: 'string' | 'number' | 'boolean', names: readonly string[]) {
  return names.every((name) => typeof value[name] === type)
}

/** Texts, or null. */
function mayHave(value: Known, names: readonly string[]) {
  return names.every((name) => value[name] === null || typeof value[name] === 'string')
}

export function isPublicOffers(value: unknown): value is PublicOffers {
  return (
    isKnown(value) &&
    has(value, 'string', ['day']) &&
    has(value, 'boolean', ['arranged']) &&
    Array.isArray(value['categories']) &&
    value['categories'].every((name) => typeof name === 'string') &&
    (value['error'] === undefined || typeof value['error'] === 'string') &&
    (value['pharmacy'] === null || isPharmacy(value['pharmacy'])) &&
    Array.isArray(value['offers']) &&
    value['offers'].every(isOffer)
  )
}

function isPharmacy(value: unknown): value is PublicPharmacy {
  return (
    isKnown(value) &&
    has(value, 'string', ['name', 'pharmacy_id']) &&
    has(value, 'boolean', ['isCounting', 'hasOrderCodes', 'hasPrescriptionFields']) &&
    mayHave(value, ['phone', 'callNumber', 'whatsAppNumber', 'address', 'logoUrl']) &&
    (value['profile'] === null || isProfile(value['profile']))
  )
}

function isProfile(value: unknown): boolean {
  if (!isKnown(value)) return false
  const { palette, openingWeek: week, closings } = value
  return (
    mayHave(value, ['description', 'mapUrl']) &&
    (palette === null ||
      (isKnown(palette) && isKnown(palette['light']) && isKnown(palette['dark']))) &&
    (week === null ||
      (Array.isArray(week) && week.every((spans) => isListOf(spans, ['from', 'to'])))) &&
    isListOf(closings, ['from', 'to', 'note'])
  )
}

function isListOf(value: unknown, texts: readonly string[]): boolean {
  return Array.isArray(value) && value.every((each) => isKnown(each) && has(each, 'string', texts))
}

function isOffer(value: unknown): value is PublicOffer {
  if (!isKnown(value)) return false
  const { fields, prior, imageSize } = value
  return (
    has(value, 'string', ['id']) &&
    has(value, 'boolean', ['medicine']) &&
    isKnown(fields) &&
    has(fields, 'string', ['Nome_Prodotto', 'Descrizione', 'Categoria', 'URL_Immagine']) &&
    has(fields, 'number', ['Prezzo_Listino', 'Prezzo_Offerta']) &&
    (fields['Data_Fine'] === undefined || typeof fields['Data_Fine'] === 'string') &&
    (prior === null || (isKnown(prior) && has(prior, 'number', ['cents']))) &&
    (imageSize === null || (isKnown(imageSize) && has(imageSize, 'number', ['width', 'height'])))
  )
}
