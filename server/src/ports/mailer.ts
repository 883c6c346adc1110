/** One message to one person. */
export type Mail = {
  to: string
  subject: string
  text: string
  html: string
}

/** The way messages leave. */
export type Mailer = {
  /**
   * Resolves when the message was taken over by whoever delivers it.
   *
   * @throws MailerError
   */
  send(mail: Mail): Promise<void>
}

/**
 * - `unavailable`: the same message may be taken later
 * - `refused`: it never will be, as it is
 */
export class MailerError extends Error {
  override readonly name = 'MailerError'
  readonly kind: 'unavailable' | 'refused'

  constructor(kind: 'unavailable' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
