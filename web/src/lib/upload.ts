import type { Response as Answer, Endpoint, Request } from '@bancone/contract/endpoint'
import { ApiError, parseResponse, type RequestParts, sendRequest } from './api.ts'

/** Maximum time without progress. There is no limit for the whole file. */
const IDLE_TIMEOUT_MS = 30_000
/** Maximum time for the response after the whole file was sent. */
const RESPONSE_TIMEOUT_MS = 60_000

export type UploadOptions = {
  /** Percentage of the bytes sent; after 100 the server processes the file. */
  onProgress: (percent: number) => void
  signal: AbortSignal
  idleTimeoutMs?: number
}

/**
 * Calls an endpoint whose body is a file.
 *
 * @throws {ApiError} for an error response, or when there was no response
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  file: Blob,
  options: UploadOptions,
): Promise<Answer<E>> {
  try {
    const response = await sendRequest(endpoint, request, (url, init) =>
      send(url, init, file, options),
    )
    return await parseResponse(endpoint, response)
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status === 0) throw cause
    const { status, text, code, requestId } = cause
    const known = { text, ...(code && { code }), ...(requestId && { requestId }) }
    throw new ApiError(status, `Upload fallito: ${status}`, known)
  }
}

/** With `XMLHttpRequest`, because `fetch` does not report upload progress. */
function send(
  url: string,
  init: RequestInit,
  file: Blob,
  { onProgress, signal, idleTimeoutMs = IDLE_TIMEOUT_MS }: UploadOptions,
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
      wait(idleTimeoutMs)
      // 100 is reported by the 'load' event.
      if (loaded < total) onProgress(Math.floor((loaded / total) * 100))
    })
    request.upload.addEventListener('load', () => {
      wait(RESPONSE_TIMEOUT_MS)
      onProgress(100)
    })
    request.addEventListener('load', () =>
      resolve(new Response(request.responseText || null, { status: request.status })),
    )
    request.addEventListener('error', () => reject(new ApiError(0, 'Errore di rete')))
    request.addEventListener('abort', () => {
      const late = new ApiError(0, 'Errore di rete', { timedOut: true })
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
    wait(idleTimeoutMs)
    onProgress(0)
    request.send(file)
  })
}
