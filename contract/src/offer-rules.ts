import type { Day } from './dates.ts'
import { parseMinsan } from './minsan.ts'
import type { OfferFields } from './offers.ts'
import { isMedicine, type RegulatoryClass } from './product-categories.ts'

// The rules of an offer that involve more than one field, the stored offer or the day. The form checks them before it
// sends an offer, and the server before it stores one. Each function returns the code of the error, or undefined.

export function priceError(
  offer: Pick<OfferFields, 'Prezzo_Listino' | 'Prezzo_Offerta'>,
): 'offers.price_above_list' | undefined {
  return offer.Prezzo_Offerta > offer.Prezzo_Listino ? 'offers.price_above_list' : undefined
}

/** @param storedEnd the end before the change: editing an offer that has ended does not require a new one */
export function periodError(
  { Data_Inizio: start, Data_Fine: end }: { Data_Inizio: Day; Data_Fine: Day | null },
  storedEnd: Day | undefined,
  today: Day,
): 'offers.ends_too_early' | undefined {
  if (end === null) return undefined
  const isPast = end < today && end !== storedEnd
  return end < start || isPast ? 'offers.ends_too_early' : undefined
}

type Product = Pick<OfferFields, 'Categoria' | 'Codice_Minsan'>

/**
 * @param stored the product before the change; undefined when it must be valid in any case
 * @param regulatoryClass of the category; undefined when the category does not exist
 */
export function productError(
  { Categoria: category, Codice_Minsan: code }: Product,
  stored: Product | undefined,
  regulatoryClass: RegulatoryClass | undefined,
): 'offers.unknown_category' | 'offers.wrong_code' | undefined {
  if (regulatoryClass === undefined) return 'offers.unknown_category'
  if (code === null || !isMedicine(regulatoryClass)) return undefined
  // An offer can still be switched off after its category has become one of medicines.
  if (stored?.Categoria === category && stored.Codice_Minsan === code) return undefined
  return parseMinsan(code)?.check === 'valid' ? undefined : 'offers.wrong_code'
}
