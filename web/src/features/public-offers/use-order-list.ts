import type { PublicOffer } from '@bancone/contract/public-offers'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createOrderListStore, type ListedOffer, NOTHING_KEPT } from './order-list-store.ts'

type ListLine = ListedOffer & { offer: PublicOffer }

export type OrderList = {
  lines: readonly ListLine[]
  /** Names of products that were taken out, since they are not offered any more. */
  gone: readonly string[]
  add(offer: PublicOffer): void
  change(offerId: string, wish: Partial<Pick<ListedOffer, 'quantity' | 'equivalent'>>): void
  remove(offerId: string): void
  /** @returns puts all back */
  clear(): () => void
  /** What is gone has been read. */
  forgetGone(): void
}

/** @param offers what the pharmacy offers now: only of that something can be ordered; null while it is not known */
export function useOrderList(code: string, offers: readonly PublicOffer[] | null): OrderList {
  const [store] = useState(() => createOrderListStore(code))
  // The server knows nothing of it: it is there once the page lives.
  const { listed, gone } = useSyncExternalStore(store.subscribe, store.read, () => NOTHING_KEPT)

  const lines = useMemo(() => {
    const byId = new Map(offers?.map((offer) => [offer.id, offer]))
    return listed.flatMap((line) => {
      const offer = byId.get(line.offerId)
      return offer ? [{ ...line, offer }] : []
    })
  }, [listed, offers])

  useEffect(() => {
    if (offers) store.keepOnly(new Set(offers.map(({ id }) => id)))
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
    forgetGone: () => store.forgetGone(),
  }
}
