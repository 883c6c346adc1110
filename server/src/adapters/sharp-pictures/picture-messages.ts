import { z } from 'zod'

/** Renders a rendition of a picture. */
const PictureWork = z.object({
  from: z.string(),
  rendition: z.object({
    width: z.number().exactOptional(),
    height: z.number().exactOptional(),
    fit: z.enum(['inside', 'cover', 'contain', 'fill']).exactOptional(),
    format: z.enum(['avif', 'webp', 'jpeg', 'png']),
    quality: z.number(),
  }),
})

/** Renders a link preview. */
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
      accent: z.string().nullable(),
      photos: z.array(z.string()),
    }),
  ]),
})

/** Renders an SVG document of our own. */
const DrawingWork = z.object({ drawing: z.string() })

/** A request to the rendering process. */
export const RenderTask = z.object({
  work: z.union([PictureWork, CardWork, DrawingWork]),
  to: z.string(),
  /** CPU time limit in milliseconds. */
  computeMs: z.number(),
  /** Memory use in bytes above which the process is replaced by a new one. */
  maxMemory: z.number(),
})
export type RenderTask = z.infer<typeof RenderTask>

/** Rendering was not possible for a reason other than the picture. */
const Failure = z.object({ failed: z.string() })

/** The first message of the rendering process. */
export const ReadyMessage = z.union([z.literal('ready'), Failure])
export type ReadyMessage = z.infer<typeof ReadyMessage>

/** The response of the rendering process. */
export const RenderReply = z.object({
  outcome: z.union([
    z.object({ width: z.number(), height: z.number(), bytes: z.number() }),
    z.enum(['not_a_picture', 'too_wide', 'unreadable']),
    Failure,
  ]),
  /** Whether the process can be used again. */
  again: z.boolean(),
})
export type RenderReply = z.infer<typeof RenderReply>
