/** What was done to one order, in order: nobody does two things to it at once. */
type Deed = {
  by: 'pharmacist' | 'store'
  status: string
  /** What the pharmacist was told: taken, that it will not be, or nothing that can be relied on. */
  told?: 'taken' | 'refused' | 'unknown'
}

export type Diary = ReturnType<typeof createDiary>

/** What everybody did, so that the end can be judged. */
export function createDiary() {
  const deeds = new Map<string, Deed[]>()
  const busy = new Set<string>()
  const removed = new Set<string>()
  const tally: Record<string, number> = {}

  return {
    deeds,
    removed,
    tally,
    count(what: string) {
      tally[what] = (tally[what] ?? 0) + 1
    },
    write(recordId: string, deed: Deed) {
      const known = deeds.get(recordId) ?? []
      known.push(deed)
      deeds.set(recordId, known)
    },
    /** Does that with the order, unless somebody else is at it. */
    async alone(recordId: string, work: () => Promise<void> | void): Promise<void> {
      if (busy.has(recordId)) return
      busy.add(recordId)
      try {
        await work()
      } finally {
        busy.delete(recordId)
      }
    },
  }
}

/**
 * The statuses an order may have at the end: that of the last change which was taken, and of all that
 * came after it and may have been. Before the first one anything that was ever said of it.
 */
export function possibleEnds(history: readonly Deed[], first: string): Set<string> {
  const last = history.findLastIndex(
    (deed) => deed.by === 'store' || (deed.by === 'pharmacist' && deed.told === 'taken'),
  )
  const after = history.slice(Math.max(last, 0)).filter((deed) => deed.told !== 'refused')
  const ends = new Set(after.map(({ status }) => status))
  if (last === -1) ends.add(first)
  return ends
}
