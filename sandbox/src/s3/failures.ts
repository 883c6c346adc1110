import { z } from 'zod'

/**
 * The failures of the next `times` requests; without it, of all.
 * - `500`, `slow-down`: a temporary error
 * - `hang-up`: no response
 * - `lost-reply`: executed, and not answered
 * - `slow`: answered after `delayMs`
 * - `truncated`, `stalled`: half of the body, and then the connection ends or stalls
 */
export const S3Failure = z.object({
  mode: z.enum(['ok', '500', 'slow-down', 'hang-up', 'lost-reply', 'slow', 'truncated', 'stalled']),
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
export type S3Failure = z.input<typeof S3Failure>
