import { KindError } from './kind-error.ts'
/** One message to one recipient. */
export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** A PNG that the HTML shows as `cid:` with this id. */
  picture?: { id: string; content: Uint8Array }
  /** The address of a page on which further mails of this kind can be turned off. */
  unsubscribeUrl?: string
}

/** Sends mail. */
export type Mailer = {
  /**
   * Resolves when the mail server has accepted the message.
   *
   * @throws MailerError
   */
  send(mail: Mail): Promise<void>
}

export type CheckedMailer = Mailer & {
  /** Resolves when the mail server can be reached and accepts the credentials. Sends nothing. @throws MailerError */
  check(): Promise<void>
}

/**
 * - `unavailable`: the same message may be accepted later
 * - `refused`: the message will never be accepted as it is
 */
export class MailerError extends KindError<'unavailable' | 'refused'> {
  override readonly name = 'MailerError'
}
