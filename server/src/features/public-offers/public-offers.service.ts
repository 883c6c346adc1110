import { type Feature, hasFeature } from '@bancone/contract/access'
import { type Day, dayOf } from '@bancone/contract/dates'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import type {
  PublicOffers,
  PublicOffersError,
  PublicPharmacy,
} from '@bancone/contract/public-offers'
import { phoneNumbers } from '../../platform/phone-numbers.ts'
import type { Clock } from '../../ports/clock.ts'
import { isPharmacyCode, noOffers } from './public-offers.rules.ts'

type Pharmacy = {
  id: string
  code: string
  name: string
  phone: string | null
  address: string | null
  logoUrl: string | null
  maxOffers: number | null
  isActive: boolean
  features: readonly Feature[]
}

/** Sources of the data. */
export type PublicOffersSources = {
  /** By code, regardless of case. */
  pharmacy(code: string): Promise<Pharmacy | undefined>
  published(
    pharmacyId: string,
    of: { today: Day; most: number | null },
  ): Promise<Pick<PublicOffers, 'offers' | 'arranged'>>
  /** What it shows of itself; null for nothing. */
  profile(pharmacyId: string, today: Day): Promise<PublicProfile | null>
  /** Whether customers may add the codes of a prescription to their message. */
  hasPrescriptionFields(pharmacyId: string): Promise<boolean>
  /** Whether its page views are counted, and whether orders carry a code. */
  counting(pharmacyId: string): Promise<Pick<PublicPharmacy, 'isCounting' | 'hasOrderCodes'>>
  /** Names of all categories, in order. */
  categories(): Promise<string[]>
}

type Dependencies = PublicOffersSources & { clock: Clock }

/** `pharmacyId`: id of the account; null when the pharmacy does not exist. */
export type FoundOffers = { content: PublicOffers; pharmacyId: string | null }

/** The public content of a pharmacy today. */
export function createPublicOffers(dependencies: Dependencies) {
  const { pharmacy: find, published, profile: findProfile, clock, ...rest } = dependencies

  async function findOffers(code: string): Promise<FoundOffers> {
    const day = dayOf(clock.now())
    if (!isPharmacyCode(code)) return { content: noOffers(day, INVALID, null), pharmacyId: null }
    const row = await find(code.trim())
    if (!row) return { content: noOffers(day, UNKNOWN, null), pharmacyId: null }
    const pharmacyId = row.id
    const error = refusal(row)
    if (error) {
      const refused = await publicPharmacy(row, error, null, SWITCHED_OFF)
      return { content: noOffers(day, error, refused), pharmacyId }
    }
    const [offers, profile, counting, hasPrescriptionFields, names] = await Promise.all([
      published(row.id, { today: day, most: row.maxOffers }),
      findProfile(row.id, day),
      rest.counting(row.id),
      rest.hasPrescriptionFields(row.id),
      rest.categories(),
    ])
    const pharmacy = await publicPharmacy(row, undefined, profile, {
      ...counting,
      hasPrescriptionFields,
    })
    return { content: { ...offers, pharmacy, categories: names, day }, pharmacyId }
  }

  return { findOffers }
}

const INVALID: PublicOffersError = 'ID farmacia non valido'
const UNKNOWN: PublicOffersError = 'Farmacia non trovata'
const SWITCHED_OFF = { isCounting: false, hasOrderCodes: false, hasPrescriptionFields: false }

function refusal(pharmacy: Pharmacy): PublicOffersError | undefined {
  if (!pharmacy.isActive) return 'Farmacia non attiva'
  if (!hasFeature(pharmacy, 'offers')) return 'Funzionalità offerte non disponibile'
  return undefined
}

async function publicPharmacy(
  { code, name, phone, address, logoUrl, maxOffers }: Pharmacy,
  error: PublicOffersError | undefined,
  profile: PublicProfile | null,
  shown: Pick<PublicPharmacy, 'isCounting' | 'hasOrderCodes' | 'hasPrescriptionFields'>,
): Promise<PublicPharmacy> {
  return {
    name,
    phone: phone?.trim() || null,
    ...(await phoneNumbers(phone)),
    address: address?.trim() || null,
    logoUrl,
    max_offers: maxOffers,
    pharmacy_id: code,
    error: error ?? null,
    ...shown,
    profile,
  }
}
