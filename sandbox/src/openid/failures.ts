import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { createFailing } from '../failing.ts'

/**
 * How requests fare from now on, or so many of them (`times`): all, or those whose path begins with `path`.
 * `silent` is never answered, `page` is HTML in the place of JSON, `json` an object of something else,
 * `oversized` has 10 MB.
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

/** Counts those requests alone that the failure is for. */
export function createOpenIdFailures() {
  const well = { mode: 'ok' } as const
  const failing = createFailing(OpenIdFailure, well)
  let start = '/'
  return {
    set(failure: OpenIdFailure) {
      start = failure.path ?? '/'
      failing.set(failure)
    },
    of: (path: string) => (path.startsWith(start) ? failing.next() : OpenIdFailure.parse(well)),
  }
}

export function misbehave(
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
