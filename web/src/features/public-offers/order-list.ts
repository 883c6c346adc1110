import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import { MAX_ORDERED_PRODUCTS, MAX_QUANTITY } from '@bancone/contract/whatsapp-order'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { tabStorage } from '../../lib/browser-storage.ts'

type ListedOffer = {
  offerId: string
  /** Kept for when the offer is no longer published. */
  name: string
  quantity: number
  equivalent: boolean
}

export function isQuantity(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MAX_QUANTITY
}

type StoredList = {
  listed: readonly ListedOffer[]
  /** Names of removed items that are no longer offered, until the customer has seen the notice. */
  gone: readonly string[]
}

const EMPTY_LIST: StoredList = { listed: [], gone: [] }

type OrderListStore = {
  subscribe(listener: () => void): () => void
  /** Returns the same object until something changes. */
  read(): StoredList
  write(listed: readonly ListedOffer[]): void
  /** Removes all other items. */
  retainOnly(offerIds: ReadonlySet<string>): void
  clearGone(): void
}

/** The customer's order list for a pharmacy, stored as long as the tab is open. */
function createOrderListStore(code: string): OrderListStore {
  const key = `bancone-list:${code}`
  const listeners = new Set<() => void>()
  let list: StoredList | null = null

  function read(): StoredList {
    list ??= { listed: readStored(key), gone: [] }
    return list
  }

  function write(next: StoredList) {
    list = next
    if (next.listed.length === 0) tabStorage.removeItem(key)
    else tabStorage.setItem(key, JSON.stringify(next.listed))
    for (const listener of listeners) listener()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read,
    write: (listed) => write({ ...read(), listed: listed.slice(0, MAX_ORDERED_PRODUCTS) }),
    retainOnly(offerIds) {
      const { listed, gone } = read()
      const missing = listed.filter(({ offerId }) => !offerIds.has(offerId))
      if (missing.length === 0) return
      write({
        listed: listed.filter((line) => !missing.includes(line)),
        gone: [...gone, ...missing.map(({ name }) => name)],
      })
    },
    clearGone: () => write({ ...read(), gone: [] }),
  }
}

function readStored(key: string): readonly ListedOffer[] {
  try {
    const list: unknown = JSON.parse(tabStorage.getItem(key) ?? '[]')
    return Array.isArray(list) ? list.filter(isListed).slice(0, MAX_ORDERED_PRODUCTS) : []
  } catch {
    return []
  }
}

function isListed(line: unknown): line is ListedOffer {
  return (
    typeof line === 'object' &&
    line !== null &&
    'offerId' in line &&
    typeof line.offerId === 'string' &&
    'name' in line &&
    typeof line.name === 'string' &&
    'quantity' in line &&
    typeof line.quantity === 'number' &&
    isQuantity(line.quantity) &&
    'equivalent' in line &&
    typeof line.equivalent === 'boolean'
  )
}

type ListLine = ListedOffer & { offer: PublicOffer }

export type OrderList = {
  lines: readonly ListLine[]
  /** In cents. */
  total: number
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
    total: lines.reduce((sum, { offer, quantity }) => sum + publicPrice(offer).cents * quantity, 0),
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

/** Notice about removed list items. @param names at least one */
export function goneText(names: readonly string[]): string {
  const said =
    names.length === 1
      ? 'Non è più in offerta e non è più nella lista'
      : 'Non sono più in offerta e non sono più nella lista'
  return `${said}: ${names.join(', ')}`
}
