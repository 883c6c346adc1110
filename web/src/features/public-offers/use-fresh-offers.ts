import type { listPublicOffers, PublicOffers } from '@bancone/contract/public-offers'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isPublicOffers } from './read-offers.ts'

/** Milliseconds in the background after which the page may be outdated. */
const STALE_MS = 60_000

type Offers = PublicOffers | 'loading' | 'failed'

/** The offers: as rendered by the server, and reloaded when the user returns to the page. */
export function useFreshOffers(code: string, first: Offers) {
  const [offers, setOffers] = useState(first)
  const latest = useRef(0)

  const load = useCallback(
    (onFailure: () => void) => {
      const asked = ++latest.current
      loadOffers(code).then(
        (loaded) => (asked === latest.current ? setOffers(loaded) : undefined),
        () => (asked === latest.current ? onFailure() : undefined),
      )
    },
    [code],
  )

  const retry = useCallback(() => {
    setOffers('loading')
    load(() => setOffers('failed'))
  }, [load])

  useEffect(() => {
    if (first === 'loading') load(() => setOffers('failed'))
  }, [first, load])

  useEffect(() => {
    let hiddenAt: number | null = document.hidden ? Date.now() : null
    const look = () => {
      if (document.hidden) {
        hiddenAt = Date.now()
        return
      }
      // In the background: what is on the screen stays if it fails.
      if (hiddenAt !== null && Date.now() - hiddenAt > STALE_MS) load(() => undefined)
      hiddenAt = null
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [load])

  return { offers, retry }
}

const TIME_LIMIT_MS = 12_000

const path: (typeof listPublicOffers)['path'] = '/api/public/offers/:pharmacyId'

/**
 * Loads the current offers of a pharmacy.
 * @throws on network errors, timeouts and invalid responses
 */
async function loadOffers(code: string): Promise<PublicOffers> {
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
