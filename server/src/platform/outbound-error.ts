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

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
