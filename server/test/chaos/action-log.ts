import type { SentMessage } from '@bancone/sandbox/meta'

/** One action on an order. The actions on one order never overlap. */
type Action = {
  by: 'pharmacist' | 'store'
  status: string
  /** The response to the pharmacist: accepted, refused, or unreliable. */
  answer?: 'taken' | 'refused' | 'unknown'
}

export type ActionLog = ReturnType<typeof createActionLog>

/** Records all actions, so that the final state can be judged. */
export function createActionLog() {
  const actions = new Map<string, Action[]>()
  const busy = new Set<string>()
  const removed = new Set<string>()
  const tally: Record<string, number> = {}
  const messages: SentMessage[] = []
  const undelivered = new Set<string>()

  return {
    actions,
    removed,
    tally,
    /** Those that Meta has taken. */
    messages,
    /** The ids of those that Meta has reported as failed. */
    undelivered,
    count(what: string) {
      tally[what] = (tally[what] ?? 0) + 1
    },
    record(recordId: string, action: Action) {
      const known = actions.get(recordId) ?? []
      known.push(action)
      actions.set(recordId, known)
    },
    /** Runs the work, unless another action on the order is running. */
    async exclusively(recordId: string, work: () => Promise<void> | void): Promise<void> {
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
 * The statuses that an order may have at the end: those of the last action that surely took effect, and of all
 * later ones that may have. Without such an action, also the initial one.
 */
export function possibleEnds(history: readonly Action[], first: string): Set<string> {
  const last = history.findLastIndex(
    (action) => action.by === 'store' || (action.by === 'pharmacist' && action.answer === 'taken'),
  )
  const after = history.slice(Math.max(last, 0)).filter((action) => action.answer !== 'refused')
  const ends = new Set(after.map(({ status }) => status))
  if (last === -1) ends.add(first)
  return ends
}
