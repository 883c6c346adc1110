import { z } from 'zod'

/** How the sandbox misbehaves when it is told to. */
export const FailureMode = z.enum([
  'ok',
  '429',
  '500',
  'slow',
  'malformed',
  'hang-up',
  'refuse-writes',
  'oversized',
])
export type FailureMode = z.infer<typeof FailureMode>

/** `times` requests fail, then none; without it all of them do. `delayMs` is for `slow`. */
export const Failure = z.object({
  mode: FailureMode,
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
export type Failure = z.input<typeof Failure>

export function createFailures() {
  let current = Failure.parse({ mode: 'ok' })
  return {
    set(failure: Failure) {
      current = Failure.parse(failure)
    },
    mode: () => current.mode,
    /** How the next request fares. Writes only for `refuse-writes`. */
    next(isWrite: boolean): { mode: FailureMode; delayMs: number } {
      const { mode, delayMs, times } = current
      if (mode === 'refuse-writes' && !isWrite) return { mode: 'ok', delayMs }
      if (times === 1) current = Failure.parse({ mode: 'ok' })
      else if (times !== undefined) current = { ...current, times: times - 1 }
      return { mode, delayMs }
    },
  }
}
