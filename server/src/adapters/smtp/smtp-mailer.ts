import { createTransport } from 'nodemailer'
import type { Mailer } from '../../ports/mailer.ts'
import { messageOf } from './mail-message.ts'
import { parseSmtpUrl } from './smtp-address.ts'
import { asMailerError } from './smtp-failure.ts'

export type SmtpOptions = {
  /** `smtp://user:password@host:587` or `smtps://…`; see `parseSmtpUrl`. */
  url: string
  /** `Bancone <bancone@example.it>`. */
  from: string
  /** Milliseconds a mail may take in all, its wait for a connection included. */
  timeoutMs?: number
}

/** Mail by way of a server that delivers it. `close` lets what is being sent come to its end. */
export function createSmtpMailer(options: SmtpOptions): Mailer & { close(): void } {
  const { timeoutMs = 10_000 } = options
  const transport = createTransport({
    ...parseSmtpUrl(options.url),
    pool: true,
    // Those who send us on charge for connections; a burst of mails waits for its turn.
    maxConnections: 2,
    // Once, for a connection that the server had closed while it was idle.
    maxRequeues: 1,
    idleTimeout: timeoutMs / 2,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      const message = messageOf(mail, options.from)
      try {
        // The limits above begin again with every word of the server; this one does not.
        await transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) })
      } catch (error) {
        throw asMailerError(error)
      }
    },
    close: () => transport.close(),
  }
}
