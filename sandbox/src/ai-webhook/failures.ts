import { z } from 'zod'

/**
 * The behaviour of the next `times` requests, or of all: `silent` does not respond, `half` breaks off in the
 * middle of the response, `oversized` is 10 MB of JSON.
 */
export const AiFailure = z.object({
  mode: z.enum([
    'ok',
    'status',
    'silent',
    'slow',
    'garbage',
    'oversized',
    'redirect',
    'hang-up',
    'half',
  ]),
  status: z.number().int().min(400).max(599).default(500),
  delayMs: z.number().int().min(0).default(3_000),
  location: z.string().default('http://169.254.169.254/latest/meta-data/'),
  times: z.number().int().min(1).optional(),
})
export type AiFailure = z.input<typeof AiFailure>

/** Product names that cause failures in the demo. */
const asked: readonly [RegExp, (...found: string[]) => AiFailure][] = [
  [/^prova errore ([45]\d\d)$/i, (status = '') => ({ mode: 'status', status: Number(status) })],
  [/^prova attesa$/i, () => ({ mode: 'slow' })],
  [/^prova silenzio$/i, () => ({ mode: 'silent' })],
  [/^prova illeggibile$/i, () => ({ mode: 'garbage' })],
  [/^prova interruzione$/i, () => ({ mode: 'hang-up' })],
]

/** The failure that a product's name causes. */
export function failureNamed(productName: string): AiFailure | undefined {
  for (const [pattern, failure] of asked) {
    const [whole, ...found] = pattern.exec(productName.trim()) ?? []
    if (whole !== undefined) return failure(...found)
  }
  return undefined
}
