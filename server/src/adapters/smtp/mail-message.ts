import { type Mail, MailerError } from '../../ports/mailer.ts'

/** The largest size of subject, text, HTML and picture together. Gmail truncates the display at 102 kB. */
const MAX_BYTES = 256 * 1024

/** A single plain address: no list, no display name, no line break. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u

/**
 * Converts a mail into a nodemailer message.
 *
 * @throws MailerError `refused` if the address is invalid or the message is too large
 */
export function messageOf(mail: Mail, from: string) {
  const { to, subject, text, html, picture, unsubscribeUrl } = mail
  if (!ADDRESS.test(to) || to.length > 254) {
    throw new MailerError('refused', 'the address of the mail is not one')
  }
  const pictureBytes = picture?.content.byteLength ?? 0
  if (Buffer.byteLength(subject + text + html) + pictureBytes > MAX_BYTES) {
    throw new MailerError('refused', 'the mail is too large')
  }
  return {
    from,
    // An object, because nodemailer parses a string as a list of addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Prevents automatic replies (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && { 'List-Unsubscribe': `<${unsubscribeUrl}>` }),
    },
    ...(picture && {
      attachments: [
        {
          cid: picture.id,
          content: Buffer.from(picture.content),
          contentType: 'image/png',
          contentDisposition: 'inline',
          filename: 'grafico.png',
        },
      ],
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
}
