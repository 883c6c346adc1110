import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { createFailureQueue } from '../failure-queue.ts'

/**
 * The behaviour of the next `times` requests whose method and path contain `of` (for example `POST /…/register`), or of
 * all of them. `graph` is an error of the Graph API with that code and those details; `slow` succeeds after half a
 * second, `lost-reply` without a response.
 */
export const MetaFailure = z.object({
  mode: z.enum([
    'ok',
    'graph',
    'status',
    'slow',
    'silent',
    'hang-up',
    'lost-reply',
    'garbage',
    'oversized',
  ]),
  of: z.string().default(''),
  code: z.number().int().default(190),
  details: z.string().default(''),
  status: z.number().int().min(400).max(599).default(503),
  times: z.number().int().min(1).optional(),
})
export type MetaFailure = z.input<typeof MetaFailure>

export function createMetaFailures() {
  const well = { mode: 'ok' } as const
  const failing = createFailureQueue(MetaFailure, well)
  let of = ''
  return {
    set(failure: MetaFailure) {
      of = failure.of ?? ''
      failing.set(failure)
    },
    of: (call: string) => (call.includes(of) ? failing.next() : MetaFailure.parse(well)),
  }
}

/** The body of an error of the Graph API. */
export function graphErrorBody(code: number, message: string, details = message) {
  const data = { messaging_product: 'whatsapp', details }
  return {
    error: { message, type: 'OAuthException', code, error_data: data, fbtrace_id: 'ASandboxTrace' },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function failWith(
  response: ServerResponse,
  { mode, code, details, status }: z.output<typeof MetaFailure>,
): void {
  if (mode === 'silent') return
  if (mode === 'hang-up') response.socket?.destroy()
  else if (mode === 'garbage') response.writeHead(200).end('<p>In manutenzione</p>')
  else if (mode === 'oversized') sendJson(response, 200, { filler: 'x'.repeat(2_000_000) })
  else if (mode === 'status') response.writeHead(status).end('Service Unavailable')
  else sendJson(response, 400, graphErrorBody(code, `(#${code}) ${details}`, details))
}
