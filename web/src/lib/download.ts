import type { Endpoint, Request } from '@bancone/contract/endpoint'
import { ApiError, ask, type RequestParts } from './api.ts'
import { eitherSignal } from './either-signal.ts'

/** So long may pass without a byte: a file has no time limit as a whole. */
const STALL_MS = 30_000

/** The file that was asked for has not come, or not all of it. */
export class BrokenDownload extends Error {
  constructor(cause: unknown) {
    super('The file is not whole', { cause })
    this.name = 'BrokenDownload'
  }
}

/**
 * Calls an endpoint whose answer is bytes.
 *
 * @throws {ApiError} when the server refuses
 * @throws {BrokenDownload} when the connection ends, or goes silent, before the file does
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  { signal, stallAfter = STALL_MS }: { signal: AbortSignal; stallAfter?: number },
): Promise<Blob> {
  const stalled = new AbortController()
  const either = eitherSignal(signal, stalled.signal)
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), stallAfter)
  }
  try {
    const response = await ask(endpoint, request, (url, init) => {
      alive()
      return fetch(url, { ...init, signal: either })
    })
    return await bytesOf(response, either, alive)
  } catch (cause) {
    if (signal.aborted || cause instanceof ApiError) throw cause
    throw new BrokenDownload(cause)
  } finally {
    clearTimeout(timer)
  }
}

/** By way of another response, so that it is the browser that keeps them, on the disk when they are many. */
function bytesOf(response: Response, signal: AbortSignal, alive: () => void): Promise<Blob> {
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(portion, onward) {
      alive()
      onward.enqueue(portion)
    },
  })
  const headers = { 'content-type': response.headers.get('content-type') ?? '' }
  return new Response(response.body?.pipeThrough(watched, { signal }), { headers }).blob()
}
