import { z } from 'zod'

/** A picture that is made of another one. */
const PictureWork = z.object({
  from: z.string(),
  drawing: z.object({
    width: z.number().exactOptional(),
    height: z.number().exactOptional(),
    fit: z.enum(['inside', 'cover', 'contain', 'fill']).exactOptional(),
    format: z.enum(['avif', 'webp', 'jpeg', 'png']),
    quality: z.number(),
  }),
})

/** One that is made of texts, and of pictures as far as they can be read. */
const CardWork = z.object({
  card: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('offer'),
      name: z.string(),
      price: z.string(),
      before: z.string().nullable(),
      badge: z.string().nullable(),
      pharmacy: z.string(),
      photo: z.string().nullable(),
    }),
    z.object({
      kind: z.literal('pharmacy'),
      name: z.string(),
      address: z.string().nullable(),
      count: z.string().nullable(),
      logo: z.string().nullable(),
      photos: z.array(z.string()),
    }),
  ]),
})

/** What the process that draws is asked for. */
export const DrawingTask = z.object({
  work: z.union([PictureWork, CardWork]),
  to: z.string(),
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
