import type { PublicOffer } from '@bancone/contract/public-offers'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createOrderListStore, EMPTY_LIST, type ListedOffer } from './order-list.ts'

type ListLine = ListedOffer & { offer: PublicOffer }

export type OrderList = {
  lines: readonly ListLine[]
  /** Names of removed items that are no longer offered. */
  gone: readonly string[]
  add(offer: PublicOffer): void
  change(offerId: string, wish: Partial<Pick<ListedOffer, 'quantity' | 'equivalent'>>): void
  remove(offerId: string): void
  /** @returns a function that restores the list */
  clear(): () => void
  /** The customer has seen the notice about removed items. */
  clearGone(): void
}

/** @param offers the current offers, to which the list is limited; null while they are unknown */
export function useOrderList(code: string, offers: readonly PublicOffer[] | null): OrderList {
  const [store] = useState(() => createOrderListStore(code))
  // The server does not know the list: it appears after hydration.
  const { listed, gone } = useSyncExternalStore(store.subscribe, store.read, () => EMPTY_LIST)

  const lines = useMemo(() => {
    const byId = new Map(offers?.map((offer) => [offer.id, offer]))
    return listed.flatMap((line) => {
      const offer = byId.get(line.offerId)
      return offer ? [{ ...line, offer }] : []
    })
  }, [listed, offers])

  useEffect(() => {
    if (offers) store.retainOnly(new Set(offers.map(({ id }) => id)))
  }, [offers, store])

  return {
    lines,
    gone,
    add({ id: offerId, fields: { Nome_Prodotto: name } }) {
      store.write([...listed, { offerId, name, quantity: 1, equivalent: false }])
    },
    change(offerId, wish) {
      const changed = (line: ListedOffer) =>
        line.offerId === offerId ? { ...line, ...wish } : line
      store.write(listed.map(changed))
    },
    remove: (offerId) => store.write(listed.filter((line) => line.offerId !== offerId)),
    clear() {
      store.write([])
      return () => store.write(listed)
    },
    clearGone: () => store.clearGone(),
  }
}
