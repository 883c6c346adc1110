import type { VisitorSaltsStore } from './visitor-salts.store.ts'

/** Whoever asks after it is told anew by the database, which has none of a day that is over. */
const REMEMBERED_MS = 60 * 60_000

export type VisitorSalts = ReturnType<typeof createVisitorSalts>

/** Remembers the salt of one day, the last that was asked for; also where nobody asks again it is soon forgotten. */
export function createVisitorSalts(store: Pick<VisitorSaltsStore, 'of'>) {
  let known: { day: string; salt: Promise<Buffer> } | undefined

  function ask(day: string) {
    const asked = { day, salt: store.of(day) }
    known = asked
    setTimeout(() => forget(asked), REMEMBERED_MS).unref()
    return asked
  }

  function forget(asked: typeof known) {
    if (known === asked) known = undefined
  }

  return {
    async of(day: string): Promise<Buffer> {
      const asked = known?.day === day ? known : ask(day)
      try {
        return await asked.salt
      } catch (error) {
        // The next one asks again.
        forget(asked)
        throw error
      }
    },
  }
}
