import type { Endpoint, Request } from '@bancone/contract/endpoint'
import { anySignal } from './any-signal.ts'
import { ApiError, type RequestParts, sendRequest } from './api.ts'

/** Maximum time between two chunks. There is no limit for the whole file. */
const IDLE_TIMEOUT_MS = 30_000

/** The file was not received, or not completely. */
export class IncompleteDownloadError extends Error {
  constructor(cause: unknown) {
    super('The file is not whole', { cause })
    this.name = 'IncompleteDownloadError'
  }
}

/**
 * Calls an endpoint that responds with a file.
 *
 * @throws {ApiError} for an error response
 * @throws {IncompleteDownloadError} when the connection fails or stalls before the end of the file
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  { signal, idleTimeoutMs = IDLE_TIMEOUT_MS }: { signal: AbortSignal; idleTimeoutMs?: number },
): Promise<Blob> {
  const stalled = new AbortController()
  const either = anySignal(signal, stalled.signal)
  let timer: ReturnType<typeof setTimeout> | undefined
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), idleTimeoutMs)
  }
  try {
    const response = await sendRequest(endpoint, request, (url, init) => {
      resetTimer()
      return fetch(url, { ...init, signal: either })
    })
    return await readBlob(response, either, resetTimer)
  } catch (cause) {
    if (signal.aborted || cause instanceof ApiError) throw cause
    throw new IncompleteDownloadError(cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Through a second `Response`, so that the browser stores the bytes, on disk when they are many. */
function readBlob(response: Response, signal: AbortSignal, resetTimer: () => void): Promise<Blob> {
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(portion, onward) {
      resetTimer()
      onward.enqueue(portion)
    },
  })
  const headers = { 'content-type': response.headers.get('content-type') ?? '' }
  return new Response(response.body?.pipeThrough(watched, { signal }), { headers }).blob()
}
