import { MAX_ORDERED_PRODUCTS, MAX_QUANTITY } from '@bancone/contract/whatsapp-order'
import { tabStorage } from '../../lib/browser-storage.ts'

export type ListedOffer = {
  offerId: string
  /** Kept for when the offer is no longer published. */
  name: string
  quantity: number
  equivalent: boolean
}

export function isQuantity(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MAX_QUANTITY
}

export type StoredList = {
  listed: readonly ListedOffer[]
  /** Names of removed items that are no longer offered, until the customer has seen the notice. */
  gone: readonly string[]
}

export const EMPTY_LIST: StoredList = { listed: [], gone: [] }

export type OrderListStore = {
  subscribe(listener: () => void): () => void
  /** Returns the same object until something changes. */
  read(): StoredList
  write(listed: readonly ListedOffer[]): void
  /** Removes all other items. */
  retainOnly(offerIds: ReadonlySet<string>): void
  clearGone(): void
}

/** The customer's order list for a pharmacy, stored as long as the tab is open. */
export function createOrderListStore(code: string): OrderListStore {
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
