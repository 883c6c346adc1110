import { KindError } from './kind-error.ts'
export type OutboundRequest = {
  /** GET by default. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: Uint8Array
  /** Time limit in milliseconds for DNS, connection, redirects and body together. */
  timeLimitMs: number
  /** The largest response body in bytes, after decompression. */
  sizeLimit: number
  signal?: AbortSignal | undefined
  /** How many redirects are followed; 0 by default. Only GET and HEAD follow redirects. */
  redirects?: number
}

/** A response with any status except a redirect. Header names are in lower case. */
export type OutboundResponse = {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** An HTTP client that connects only to public addresses, and to origins that the operator has configured. */
export type Outbound = {
  /** Whether the URL itself is allowed. The host name is not resolved. */
  allows(url: string): boolean
  /** @throws OutboundError */
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  close(): void
}

/**
 * - `forbidden`: the URL is not allowed; permanent
 * - `unreachable`: no response, or an incomplete one; may be transient
 * - `too_large`: the response exceeds `sizeLimit`
 * - `status`: too many redirects, or a redirect of a request other than GET and HEAD
 * - `timeout`: the time limit was exceeded; may be transient
 */
export type OutboundErrorKind = 'forbidden' | 'unreachable' | 'too_large' | 'status' | 'timeout'

/** The only error of the outbound client. The message contains no URL. */
export class OutboundError extends KindError<OutboundErrorKind> {
  override readonly name = 'OutboundError'
  /** The status of the response, if it had begun: the server has received the request. */
  readonly status: number | undefined
  /** Whether there was no connection, so that the server has not received the request. */
  readonly isUnsent: boolean

  constructor(
    kind: OutboundErrorKind,
    message: string,
    options?: ErrorOptions & {
      status?: number | undefined
      isUnsent?: boolean
    },
  ) {
    super(kind, message, options)
    this.status = options?.status
    this.isUnsent = kind === 'forbidden' || options?.isUnsent === true
  }
}
