import { createTransport } from 'nodemailer'
import { type CheckedMailer, MailerError } from '../../ports/mailer.ts'
import { messageOf } from './mail-message.ts'
import { parseSmtpUrl } from './smtp-address.ts'
import { asMailerError } from './smtp-failure.ts'

export type SmtpOptions = {
  /** `smtp://user:password@host:587` or `smtps://…`; see `parseSmtpUrl`. */
  url: string
  /** `Bancone <bancone@example.it>`. */
  from: string
  /** Time limit of one mail in milliseconds, including the wait for a connection. */
  timeoutMs?: number
}

/** A mailer that uses an SMTP server. `close` waits for mails that are being sent. */
export function createSmtpMailer(options: SmtpOptions): CheckedMailer & { close(): void } {
  const { timeoutMs = 10_000 } = options
  const transport = createTransport({
    ...parseSmtpUrl(options.url),
    pool: true,
    // Mail providers limit the number of connections; a burst of mails is queued.
    maxConnections: 2,
    // Retried once, in case the server closed an idle connection.
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
        // The limits above restart with every response of the server; this one does not.
        await transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) })
      } catch (error) {
        throw asMailerError(error)
      }
    },
    async check() {
      try {
        await withTimeLimit(transport.verify(), timeoutMs)
      } catch (error) {
        const failure = asMailerError(error)
        // For a mail a refused login is transient, because an administrator can mend it.
        const isLogin = error instanceof Error && 'code' in error && error.code === 'EAUTH'
        throw isLogin ? new MailerError('refused', failure.message) : failure
      }
    },
    close: () => transport.close(),
  }
}

/** The library's limits restart with every response of the server. */
async function withTimeLimit(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const limit = AbortSignal.timeout(milliseconds)
  await Promise.race([
    work,
    new Promise((_resolve, reject) => {
      limit.addEventListener('abort', () => reject(Object.assign(new Error(), { code: 'EABORT' })))
    }),
  ])
}
