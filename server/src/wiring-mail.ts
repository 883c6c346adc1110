import type { FastifyBaseLogger } from 'fastify'
import { createMailOutbox } from './adapters/mail-outbox/mail-outbox.ts'
import type { CheckedMailer } from './ports/mailer.ts'

export type MailSettings = { smtpUrl: string | undefined; from: string; outbox: string }

/** Sends mails by SMTP or, without SMTP_URL, writes them to files. */
export async function createMailer(
  { smtpUrl, from, outbox }: MailSettings,
  log: FastifyBaseLogger,
): Promise<CheckedMailer & { close(): void }> {
  if (smtpUrl) {
    const { createSmtpMailer } = await import('./adapters/smtp/smtp-mailer.ts')
    return createSmtpMailer({ url: smtpUrl, from })
  }
  const onWritten = (file: string) => log.info({ file }, 'mail written')
  return { ...createMailOutbox({ folder: outbox, from, onWritten }), close() {} }
}
