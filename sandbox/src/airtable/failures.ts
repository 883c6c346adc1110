import { z } from 'zod'
import { random } from '../random.ts'

/** How the sandbox misbehaves when it is told to. */
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

/** How likely each misfortune is, for one request; with what is left it fares well. */
const Chances = z
  .record(Misfortune, z.number().min(0).max(1).default(0))
  .refine((chances) => Object.values(chances).reduce((sum, chance) => sum + chance, 0) <= 1)

/**
 * `times` requests fail, then none; without it all of them do. `delayMs` is for `slow` and `slow-reply`,
 * `chances` and the `seed` of their dice for `chaos`. A `slow` request is done late, a `slow-reply` is one
 * that is done at once and answered late, and a `lost-reply` one that is done and not answered.
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
    /** How the next request fares. Writes only for `refuse-writes`. */
    next(isWrite: boolean): { mode: FailureMode; delayMs: number } {
      const { mode, delayMs, times } = current
      if (mode === 'refuse-writes' && !isWrite) return { mode: 'ok', delayMs }
      const fate = mode === 'chaos' ? roll() : mode
      if (times === 1) current = Failure.parse({ mode: 'ok' })
      else if (times !== undefined) current = { ...current, times: times - 1 }
      return { mode: fate, delayMs }
    },
  }
}
