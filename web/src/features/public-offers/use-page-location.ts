import { parseOffersPath, publicOffersPath } from '@bancone/contract/pages'
import {
  type PublicOffersSearch,
  parseSearch,
  toSearchParams,
} from '@bancone/contract/public-offers'
import { type MouseEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { queryString } from '../../lib/query-string.ts'

/** The state of the page that its URL holds, and whether the order list is open, which the URL does not tell. */
export type PageLocation = {
  search: PublicOffersSearch
  offerId: string | null
  /** The order list is open. */
  list: boolean
}

export type PageNavigation = PageLocation & {
  /** URL path with these filters, or with the current ones. */
  address(search?: PublicOffersSearch): string
  offerAddress(offerId: string): string
  /** URL path of the offer alone, for sharing. */
  sharedAddress(offerId: string): string
  setSearch(search: PublicOffersSearch): void
  openOffer(offerId: string): void
  closeOffer(): void
  openList(): void
  closeList(): void
}

/** Stored in the history entry that opening something has created: going back closes it. */
type Opened = 'offer' | 'list'

function opened(): Opened | null {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('opened' in state)) return null
  return state.opened === 'offer' || state.opened === 'list' ? state.opened : null
}

function currentLocation(): PageLocation {
  return {
    search: parseSearch(new URLSearchParams(location.search)),
    offerId: parseOffersPath(location.pathname)?.offerId ?? null,
    list: opened() === 'list',
  }
}

/**
 * Reads the location from the URL and writes it there.
 * @param first as read by the server; null when the server has rendered nothing
 */
export function usePageLocation(code: string, first: PageLocation | null): PageNavigation {
  const [pageLocation, setPageLocation] = useState(() => first ?? currentLocation())

  useEffect(() => {
    const follow = () => setPageLocation(currentLocation())
    // A reload restores the order list, too, which the server does not know.
    if (opened() === 'list') follow()
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])

  const go = useCallback((how: 'push' | 'replace', url: string, state: Opened | null) => {
    if (how === 'push') history.pushState({ opened: state }, '', url)
    else history.replaceState({ opened: state }, '', url)
    setPageLocation(currentLocation())
  }, [])

  return useMemo(() => {
    const { search, offerId } = pageLocation
    const address = (other = search) => publicOffersPath(code) + searchText(other)
    const offerAddress = (id: string) => publicOffersPath(code, id) + searchText(search)
    const close = (what: Opened, url: string) => {
      if (opened() !== what) return go('replace', url, null)
      // Closed at once, because navigating back is asynchronous.
      setPageLocation({ ...pageLocation, list: false, ...(what === 'offer' && { offerId: null }) })
      return history.back()
    }
    return {
      ...pageLocation,
      address,
      offerAddress,
      sharedAddress: (id) => publicOffersPath(code, id),
      setSearch: (other) => go('replace', address(other), opened()),
      openOffer: (id) => go('push', offerAddress(id), 'offer'),
      closeOffer: () => close('offer', address()),
      openList: () => go('push', offerId === null ? address() : offerAddress(offerId), 'list'),
      closeList: () => close('list', offerId === null ? address() : offerAddress(offerId)),
    }
  }, [pageLocation, code, go])
}

/** Query string of the filters: `?tipo=offers`, or empty. */
export function searchText(search: PublicOffersSearch): string {
  return queryString(toSearchParams(search))
}

/** Clicks with a modifier key open the link elsewhere, and are left to the browser. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
}
