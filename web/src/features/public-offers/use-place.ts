import { publicOffersPath } from '@bancone/contract/pages'
import type { PublicOffersSearch } from '@bancone/contract/public-offers'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { readSearch, searchText } from './offer-search.ts'
import { placeOf } from './place-address.ts'

/** Where on the page one is: all of it in the address, but for the list, which is nobody else's business. */
export type Place = {
  search: PublicOffersSearch
  offerId: string | null
  /** The list is open. */
  list: boolean
}

export type PlaceControl = Place & {
  /** Of the page with these filters, or as it is. */
  address(search?: PublicOffersSearch): string
  offerAddress(offerId: string): string
  /** Of the offer alone, for who gets it from somebody else. */
  sharedAddress(offerId: string): string
  setSearch(search: PublicOffersSearch): void
  openOffer(offerId: string): void
  closeOffer(): void
  openList(): void
  closeList(): void
}

/** Written to an entry of the history that was made by opening something: back is how that closes. */
type Opened = 'offer' | 'list'

function opened(): Opened | null {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('opened' in state)) return null
  return state.opened === 'offer' || state.opened === 'list' ? state.opened : null
}

function here(): Place {
  const { offerId } = placeOf(location.pathname)
  const search = readSearch(new URLSearchParams(location.search))
  return { search, offerId, list: opened() === 'list' }
}

/**
 * Follows the address and writes it.
 * @param first as the server has read it; null where it has drawn nothing
 */
export function usePlace(code: string, first: Place | null): PlaceControl {
  const [place, setPlace] = useState(() => first ?? here())

  useEffect(() => {
    const follow = () => setPlace(here())
    // A reload comes back to where one was, also to the list, which the server knows nothing of.
    if (opened() === 'list') follow()
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])

  const go = useCallback((how: 'push' | 'replace', url: string, state: Opened | null) => {
    if (how === 'push') history.pushState({ opened: state }, '', url)
    else history.replaceState({ opened: state }, '', url)
    setPlace(here())
  }, [])

  return useMemo(() => {
    const { search, offerId } = place
    const address = (other = search) => publicOffersPath(code) + searchText(other)
    const offerAddress = (id: string) => publicOffersPath(code, id) + searchText(search)
    const close = (what: Opened, url: string) => {
      if (opened() !== what) return go('replace', url, null)
      // Closed at once: the browser takes its time to go back.
      setPlace({ ...place, list: false, ...(what === 'offer' && { offerId: null }) })
      return history.back()
    }
    return {
      ...place,
      address,
      offerAddress,
      sharedAddress: (id) => publicOffersPath(code, id),
      setSearch: (other) => go('replace', address(other), opened()),
      openOffer: (id) => go('push', offerAddress(id), 'offer'),
      closeOffer: () => close('offer', address()),
      openList: () => go('push', offerId === null ? address() : offerAddress(offerId), 'list'),
      closeList: () => close('list', offerId === null ? address() : offerAddress(offerId)),
    }
  }, [place, code, go])
}
