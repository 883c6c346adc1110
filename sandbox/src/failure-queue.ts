import type { z } from 'zod'

type Behaviour = { mode: string; times?: number | undefined }

/** Behaviour of the next `times` requests, or of all; afterwards they succeed. */
export function createFailureQueue<Input, Output extends Behaviour>(
  schema: z.ZodType<Output, Input>,
  success: NoInfer<Input>,
) {
  let current = schema.parse(success)
  return {
    set(behaviour: Input) {
      current = schema.parse(behaviour)
    },
    /** The behaviour of the next request. */
    next(): Output {
      const behaviour = current
      if (behaviour.times === 1) current = schema.parse(success)
      else if (behaviour.times !== undefined) current = { ...behaviour, times: behaviour.times - 1 }
      return behaviour
    },
  }
}
