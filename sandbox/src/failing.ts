import type { z } from 'zod'

type Fate = { mode: string; times?: number | undefined }

/** How requests fare from now on, or so many of them (`times`), and then well again. */
export function createFailing<Told, Read extends Fate>(
  schema: z.ZodType<Read, Told>,
  well: NoInfer<Told>,
) {
  let current = schema.parse(well)
  return {
    set(told: Told) {
      current = schema.parse(told)
    },
    /** How the next request fares. */
    next(): Read {
      const fate = current
      if (fate.times === 1) current = schema.parse(well)
      else if (fate.times !== undefined) current = { ...fate, times: fate.times - 1 }
      return fate
    },
  }
}
