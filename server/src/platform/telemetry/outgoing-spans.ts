import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Span, Tracing } from './tracing.ts'

/** What `undici` tells of a request, also for the `fetch` of Node, which is made of it. */
type Created = { request: { method: string; origin: string | URL } }
type Answered = { request: object; response: { statusCode: number } }
type Failed = { request: object; error: Error }

const CREATED = 'undici:request:create'
const ANSWERED = 'undici:request:headers'
const FAILED = 'undici:request:error'

/**
 * A span for each outgoing request by `fetch` of a request or job, with its host but not its path, which has ids and
 * secrets in it. It ends with the headers of the response. @returns a function that ends this
 */
export function traceOutgoing(tracing: Tracing): () => void {
  const spans = new WeakMap<object, Span>()

  // The channels pass what `undici` documents of them.
  function created(message: unknown): void {
    if (!tracing.isInSpan()) return
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { request } = message as Created
    const { hostname } = new URL(request.origin)
    const details = { 'http.request.method': request.method, 'server.address': hostname }
    spans.set(request, tracing.begin(request.method, 'client', details))
  }

  function answered(message: unknown): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { request, response } = message as Answered
    const failure = response.statusCode >= 400 ? response.statusCode : undefined
    spans.get(request)?.end({ 'http.response.status_code': response.statusCode }, failure)
    spans.delete(request)
  }

  function failed(message: unknown): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { request, error } = message as Failed
    spans.get(request)?.end({}, error)
    spans.delete(request)
  }

  subscribe(CREATED, created)
  subscribe(ANSWERED, answered)
  subscribe(FAILED, failed)
  return () => {
    unsubscribe(CREATED, created)
    unsubscribe(ANSWERED, answered)
    unsubscribe(FAILED, failed)
  }
}
