import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { createFailureQueue } from '../failure-queue.ts'

/**
 * The behaviour of the next `times` requests, or of all, optionally limited to a `path` prefix. `silent` does
 * not respond, `page` is HTML instead of JSON, `json` an unrelated object, `oversized` has 10 MB.
 */
export const OpenIdFailure = z.object({
  mode: z.enum(['ok', 'status', 'silent', 'page', 'json', 'oversized', 'redirect', 'hang-up']),
  path: z.string().default('/'),
  status: z.number().int().min(400).max(599).default(500),
  body: z.record(z.string(), z.unknown()).default({ error: 'server_error' }),
  location: z.string().default('http://169.254.169.254/latest/meta-data/'),
  times: z.number().int().min(1).optional(),
})
export type OpenIdFailure = z.input<typeof OpenIdFailure>

/** Counts only the requests that the failure applies to. */
export function createOpenIdFailures() {
  const well = { mode: 'ok' } as const
  const failing = createFailureQueue(OpenIdFailure, well)
  let start = '/'
  return {
    set(failure: OpenIdFailure) {
      start = failure.path ?? '/'
      failing.set(failure)
    },
    of: (path: string) => (path.startsWith(start) ? failing.next() : OpenIdFailure.parse(well)),
  }
}

export function respondWithFailure(
  request: IncomingMessage,
  response: ServerResponse,
  { mode, status, body, location }: z.output<typeof OpenIdFailure>,
): void {
  if (mode === 'silent') return
  if (mode === 'hang-up') {
    request.socket.destroy()
  } else if (mode === 'redirect') {
    response.writeHead(302, { location }).end()
  } else if (mode === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>In manutenzione</p>')
  } else {
    const json = mode === 'oversized' ? { filler: 'x'.repeat(10_000_000) } : body
    const code = mode === 'status' ? status : 200
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }
}
