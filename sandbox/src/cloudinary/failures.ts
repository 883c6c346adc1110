import { z } from 'zod'

/**
 * The behaviour of the next `times` requests, or of all. A `lost-reply` is executed and not answered;
 * `truncated` breaks off in the middle of the response.
 */
export const Failure = z.object({
  mode: z.enum([
    'ok',
    'refuse',
    'slow',
    'hang-up',
    'lost-reply',
    'truncated',
    'malformed',
    'oversized',
  ]),
  /** For `refuse`: 420 and 429 for rate limits, 500, … */
  status: z.number().int().min(400).max(599).default(500),
  /** For `slow`. */
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
export type Failure = z.input<typeof Failure>
