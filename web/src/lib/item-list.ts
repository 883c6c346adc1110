type Item = { id: string }

/** The list with the item in place of the one with its id, if it is there. */
export function replaceItem<T extends Item>(items: readonly T[], item: T): T[] {
  return items.map((old) => (old.id === item.id ? item : old))
}

/** The list with the item in place of the one with its id, or at the end. */
export function withItem<T extends Item>(items: readonly T[], item: T): T[] {
  const isKnown = items.some(({ id }) => id === item.id)
  return isKnown ? replaceItem(items, item) : [...items, item]
}

export function withoutItem<T extends Item>(items: readonly T[], itemId: string): T[] {
  return items.filter(({ id }) => id !== itemId)
}
