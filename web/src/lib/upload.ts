import type { Response as Answer, Endpoint, Request } from '@bancone/contract/endpoint'
import { ApiError, answerOf, ask, type RequestParts } from './api.ts'

/** So long may pass without a byte being taken: a file has no time limit as a whole. */
const STALL_MS = 30_000
/** So long the server may work on what it was sent. */
const WORK_MS = 60_000

type UploadOptions = {
  /** Whole percents of the bytes that have left; from 100 on the server is at work. */
  onProgress: (percent: number) => void
  signal: AbortSignal
  stallAfter?: number
}

/**
 * Calls an endpoint whose body is a file.
 *
 * @throws {ApiError} when the server refuses, or is not reached
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  file: Blob,
  options: UploadOptions,
): Promise<Answer<E>> {
  try {
    const response = await ask(endpoint, request, (url, init) => send(url, init, file, options))
    return await answerOf(endpoint, response)
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status === 0) throw cause
    const { status, code, requestId } = cause
    const known = { ...(code && { code }), ...(requestId && { requestId }) }
    throw new ApiError(status, `Upload fallito: ${status}`, known)
  }
}

/** With the one way of sending that says how much has left. */
function send(
  url: string,
  init: RequestInit,
  file: Blob,
  { onProgress, signal, stallAfter = STALL_MS }: UploadOptions,
): Promise<Response> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (milliseconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(stop, milliseconds)
    }

    request.upload.addEventListener('progress', ({ loaded, total }) => {
      wait(stallAfter)
      // The end is said when all has left.
      if (loaded < total) onProgress(Math.floor((loaded / total) * 100))
    })
    request.upload.addEventListener('load', () => {
      wait(WORK_MS)
      onProgress(100)
    })
    request.addEventListener('load', () =>
      resolve(new Response(request.responseText || null, { status: request.status })),
    )
    request.addEventListener('error', () => reject(new ApiError(0, 'Errore di rete')))
    request.addEventListener('abort', () => {
      const late = new ApiError(0, 'Errore di rete', { late: true })
      reject(signal.aborted ? new DOMException('Given up', 'AbortError') : late)
    })
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    })
    signal.addEventListener('abort', stop)

    request.open(init.method ?? 'POST', url)
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    wait(stallAfter)
    onProgress(0)
    request.send(file)
  })
}
