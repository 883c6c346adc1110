import { z } from 'zod'

/** What the process that draws is asked for. */
export const DrawingTask = z.object({
  from: z.string(),
  to: z.string(),
  drawing: z.object({
    width: z.number().exactOptional(),
    height: z.number().exactOptional(),
    fit: z.enum(['inside', 'cover', 'contain', 'fill']).exactOptional(),
    format: z.enum(['avif', 'webp', 'jpeg', 'png']),
    quality: z.number(),
  }),
  /** Milliseconds of computing that it may take. */
  computeMs: z.number(),
  /** Bytes of memory above which the process is not asked again: the next one begins with little. */
  mostMemory: z.number(),
})
export type DrawingTask = z.infer<typeof DrawingTask>

/** It could not be tried: nothing is said of the picture. */
const Failure = z.object({ failed: z.string() })

/** The first thing that it says. */
export const Greeting = z.union([z.literal('ready'), Failure])
export type Greeting = z.infer<typeof Greeting>

export const DrawingAnswer = z.object({
  outcome: z.union([
    z.object({ width: z.number(), height: z.number(), bytes: z.number() }),
    z.enum(['not_a_picture', 'too_wide', 'unreadable']),
    Failure,
  ]),
  /** Whether it can be asked again. */
  again: z.boolean(),
})
export type DrawingAnswer = z.infer<typeof DrawingAnswer>
