import { type Mail, MailerError } from '../../ports/mailer.ts'

/** Bytes of the texts of a message. Gmail cuts what it shows at 102 kB. */
const MOST_BYTES = 256 * 1024

/** One address and nothing else: no list of them, no name, no second line. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u

/**
 * A message as nodemailer takes it, the same for whoever carries it.
 *
 * @throws MailerError `refused`: the address is not one, or the message is too large
 */
export function messageOf(mail: Mail, from: string) {
  const { to, subject, text, html } = mail
  if (!ADDRESS.test(to) || to.length > 254) {
    throw new MailerError('refused', 'the address of the mail is not one')
  }
  if (Buffer.byteLength(subject + text + html) > MOST_BYTES) {
    throw new MailerError('refused', 'the mail is too large')
  }
  return {
    from,
    // Not the text alone: nodemailer would read a list of addresses in it.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Out-of-office replies stay away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
}
