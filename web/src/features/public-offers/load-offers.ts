import type { listPublicOffers, PublicOffers } from '@bancone/contract/public-offers'
import { isPublicOffers } from './read-offers.ts'

const TIME_LIMIT_MS = 12_000

const path: (typeof listPublicOffers)['path'] = '/api/public/offers/:pharmacyId'

/**
 * Loads the current offers of a pharmacy.
 * @throws on network errors, timeouts and invalid responses
 */
export async function loadOffers(code: string): Promise<PublicOffers> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS)
  try {
    const response = await fetch(path.replace(':pharmacyId', encodeURIComponent(code)), {
      signal: limit.signal,
    })
    const offers: unknown = response.ok ? await response.json() : null
    if (!isPublicOffers(offers)) throw new Error('The offers were not answered')
    return offers
  } finally {
    clearTimeout(timer)
  }
}
