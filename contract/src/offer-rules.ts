import type { Day } from './dates.ts'
import type { Medicine } from './medicines.ts'
import { parseMinsan } from './minsan.ts'
import type { OfferFields, OfferRefusal } from './offers.ts'
import { isMedicine, type RegulatoryClass } from './product-categories.ts'

// The rules of an offer that involve more than one field, the stored offer or the day. The form checks them before it
// sends an offer, and the server before it stores one. Each function returns the code of the error, or undefined.

export function priceError({
  Prezzo_Listino: list,
  Prezzo_Offerta: offer,
  Prezzo_Precedente: prior,
}: Pick<OfferFields, 'Prezzo_Listino' | 'Prezzo_Offerta' | 'Prezzo_Precedente'>):
  | 'offers.price_above_list'
  | 'offers.prior_above_list'
  | undefined {
  if (offer > list) return 'offers.price_above_list'
  return prior !== null && prior > list ? 'offers.prior_above_list' : undefined
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

/**
 * The code decides: a valid AIC code is a medicine's, in any category. Without one the category decides.
 *
 * @param code nine digits, or null
 */
export function isMedicineOffer(code: string | null, regulatoryClass: RegulatoryClass): boolean {
  return isAic(code) || isMedicine(regulatoryClass)
}

/**
 * Why an offer must not be published, also when it is active; null when it may be.
 *
 * @param medicine the code in the register of medicines; null where it is not in it: a code that is not known is no
 * reason to refuse
 */
export function offerRefusal(
  code: string | null,
  regulatoryClass: RegulatoryClass,
  medicine: Pick<Medicine, 'supply' | 'authorised'> | null,
): OfferRefusal | null {
  if (!isAic(code)) return isMedicine(regulatoryClass) ? 'offers.code_missing' : null
  if (medicine === null) return null
  if (!['OTC', 'SOP', null].includes(medicine.supply)) return 'offers.prescription'
  return medicine.authorised ? null : 'offers.not_authorised'
}

function isAic(code: string | null): boolean {
  return code !== null && parseMinsan(code)?.check === 'valid'
}

/** Claims that only a medicine may make. 'La cura della pelle' and 'prendersi cura' are none. */
const cureWords = [
  /\bcura(?:no|re)?\s+(?:(?:il|lo|la|i|gli|le)\s+|l['’])\p{L}+/u,
  /\b(?:guari(?:re|sce|scono|gione)|terap(?:ia|ie|eutic[oaie]))\b/u,
  /\b(?:ant(?:i-?)?infiammatori|antidolorific|antibiotic|antipiretic|antidepressiv|analgesic|febbrifug)[oiaeh]+\b/u,
  /\b(?:elimina|sconfigge|combatte|allevia|calma|previene|abbassa|riduce|rimedio (?:per|contro)|contro)\s+(?:il|lo|la|i|gli|le|l['’])?\s*(?:raffreddore|influenza|febbre|tosse|dolor[ei]|mal di \w+|infiammazion[ei]|infezion[ei]|malatti[ae]|ansia|depressione|diabete|colesterolo|pressione|cistite|gastrite|artrosi|artrite|psoriasi|eczema)/u,
]

/** The first words of a text that say that a product cures something; null where there are none. */
export function curativeClaim(text: string): string | null {
  for (const words of cureWords) {
    const [claim] = words.exec(text.toLowerCase()) ?? []
    if (claim !== undefined) return claim
  }
  return null
}
