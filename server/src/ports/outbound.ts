export type OutboundRequest = {
  /** GET unless said otherwise. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: Uint8Array
  /** Milliseconds for all of it: name, connection, redirects and body. */
  timeLimitMs: number
  /** Bytes of the answer's body, after it was unpacked. */
  sizeLimit: number
  signal?: AbortSignal | undefined
  /** How many redirects are followed; none unless said. Only reading follows any. */
  redirects?: number
}

/** Whatever the status is, except that of a redirect. Names of headers are in lower case. */
export type OutboundResponse = {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

export type Outbound = {
  /** Whether it is worth trying, as far as the address itself says: where its name leads is not asked. */
  allows(url: string): boolean
  /** @throws OutboundError */
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  close(): Promise<void>
}

/**
 * - `forbidden`: not an address that we go to; it never will be
 * - `unreachable`: no answer, or one that broke off; may pass
 * - `too_large`: more than the caller wanted
 * - `status`: a redirect too many, or one of what is not read but sent
 * - `timeout`: not finished in time; may pass
 */
export type OutboundErrorKind = 'forbidden' | 'unreachable' | 'too_large' | 'status' | 'timeout'

/** The one error of the outbound client. Its message names no address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly kind: OutboundErrorKind
  /** Of the answer that was none to be taken: a redirect. */
  readonly status: number | undefined
  /** An answer had begun when it broke off: what was sent has been taken. */
  readonly isAnswered: boolean

  constructor(
    kind: OutboundErrorKind,
    message: string,
    options?: ErrorOptions & { status?: number; isAnswered?: boolean },
  ) {
    super(message, options)
    this.kind = kind
    this.status = options?.status
    this.isAnswered = options?.isAnswered === true
  }
}
