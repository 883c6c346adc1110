import { z } from 'zod'

/**
 * How the sandbox misbehaves when it is told to, `times` requests long; without it for ever.
 * - `500`, `slow-down`: an error that may pass
 * - `hang-up`: no answer
 * - `lost-reply`: done, and not answered
 * - `slow`: answered after `delayMs`
 * - `truncated`, `stalled`: half of the body, and then the end of the connection, or nothing
 */
export const S3Failure = z.object({
  mode: z.enum(['ok', '500', 'slow-down', 'hang-up', 'lost-reply', 'slow', 'truncated', 'stalled']),
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
export type S3Failure = z.input<typeof S3Failure>
