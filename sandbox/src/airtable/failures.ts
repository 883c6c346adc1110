import { z } from 'zod'
import { random } from '../random.ts'

/** The failure modes of the sandbox. */
export const FailureMode = z.enum([
  'ok',
  '429',
  '500',
  'slow',
  'malformed',
  'hang-up',
  'lost-reply',
  'slow-reply',
  'refuse-writes',
  'lost-iterator',
  'oversized',
  'chaos',
])
export type FailureMode = z.infer<typeof FailureMode>

const Misfortune = FailureMode.extract([
  '429',
  '500',
  'slow',
  'malformed',
  'hang-up',
  'lost-reply',
  'slow-reply',
])

/** The probability of each failure per request; the remainder succeeds. */
const Chances = z
  .record(Misfortune, z.number().min(0).max(1).default(0))
  .refine((chances) => Object.values(chances).reduce((sum, chance) => sum + chance, 0) <= 1)

/**
 * The next `times` requests fail; without it, all. `delayMs` applies to `slow` and `slow-reply`; `chances` and
 * the random `seed` to `chaos`. A `slow` request is executed late, a `slow-reply` is executed at once and
 * answered late, and a `lost-reply` is executed and not answered.
 */
export const Failure = z.object({
  mode: FailureMode,
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
  chances: Chances.default(Chances.parse({})),
  seed: z.number().int().default(1),
})
export type Failure = z.input<typeof Failure>

export type Failures = ReturnType<typeof createFailures>

export function createFailures() {
  let current = Failure.parse({ mode: 'ok' })
  let dice = random(1)

  function roll(): FailureMode {
    let left = dice()
    for (const mode of Misfortune.options) {
      left -= current.chances[mode]
      if (left < 0) return mode
    }
    return 'ok'
  }

  return {
    set(failure: Failure) {
      current = Failure.parse(failure)
      dice = random(current.seed)
    },
    mode: () => current.mode,
    /**
     * The behaviour of the next request. `refuse-writes` affects writes only, `lost-iterator` requests for a further
     * page of a list.
     */
    next(request: { isWrite: boolean; continuesList: boolean }): {
      mode: FailureMode
      delayMs: number
    } {
      const { mode, delayMs, times } = current
      const isSpared =
        (mode === 'refuse-writes' && !request.isWrite) ||
        (mode === 'lost-iterator' && !request.continuesList)
      if (isSpared) return { mode: 'ok', delayMs }
      const fate = mode === 'chaos' ? roll() : mode
      if (times === 1) current = Failure.parse({ mode: 'ok' })
      else if (times !== undefined) current = { ...current, times: times - 1 }
      return { mode: fate, delayMs }
    },
  }
}
