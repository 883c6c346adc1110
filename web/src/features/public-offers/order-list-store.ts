import { MOST_ORDERED, MOST_QUANTITY } from '@bancone/contract/whatsapp-order'
import { tabStorage } from '../../lib/browser-storage.ts'

export type ListedOffer = {
  offerId: string
  /** As it was called, for when it is gone. */
  name: string
  quantity: number
  equivalent: boolean
}

export function isQuantity(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MOST_QUANTITY
}

export type KeptList = {
  listed: readonly ListedOffer[]
  /** What was taken out since it is not offered any more, until that has been read. */
  gone: readonly string[]
}

export const NOTHING_KEPT: KeptList = { listed: [], gone: [] }

export type OrderListStore = {
  subscribe(listener: () => void): () => void
  /** The same value until something changes. */
  read(): KeptList
  write(listed: readonly ListedOffer[]): void
  /** Takes out what is not among them. */
  keepOnly(offerIds: ReadonlySet<string>): void
  forgetGone(): void
}

/** What a customer wants of a pharmacy, for as long as the tab is open. */
export function createOrderListStore(code: string): OrderListStore {
  const key = `bancone-list:${code}`
  const listeners = new Set<() => void>()
  let list: KeptList | null = null

  function read(): KeptList {
    list ??= { listed: kept(key), gone: [] }
    return list
  }

  function write(next: KeptList) {
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
    write: (listed) => write({ ...read(), listed: listed.slice(0, MOST_ORDERED) }),
    keepOnly(offerIds) {
      const { listed, gone } = read()
      const missing = listed.filter(({ offerId }) => !offerIds.has(offerId))
      if (missing.length === 0) return
      write({
        listed: listed.filter((line) => !missing.includes(line)),
        gone: [...gone, ...missing.map(({ name }) => name)],
      })
    },
    forgetGone: () => write({ ...read(), gone: [] }),
  }
}

function kept(key: string): readonly ListedOffer[] {
  try {
    const list: unknown = JSON.parse(tabStorage.getItem(key) ?? '[]')
    return Array.isArray(list) ? list.filter(isListed).slice(0, MOST_ORDERED) : []
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
