import { z } from 'zod'
import { MailerError } from '../../ports/mailer.ts'

/** What nodemailer says of a failure. Not its message: servers quote addresses and content in it. */
const Failure = z
  .object({
    code: z.string(),
    /** What the system called it, where nodemailer has a name of its own: ECONNREFUSED. */
    originalCode: z.string(),
    responseCode: z.number(),
    response: z.string(),
    command: z.string(),
  })
  .partial()
type Failure = z.infer<typeof Failure>

/** Anything that sending throws, as the port has it, in words made of codes. */
export function asMailerError(error: unknown): MailerError {
  if (error instanceof MailerError) return error
  const { data: failure = {} } = Failure.safeParse(error)
  return new MailerError(isRefusal(failure) ? 'refused' : 'unavailable', wordsOf(failure))
}

/**
 * Whether it is about this message. What is said to the greeting, the login or the sender would be said to
 * every message, and is mended by a setting: then this one may go.
 */
function isRefusal({ responseCode = 0, command }: Failure): boolean {
  // 503: the commands came in a wrong order; 530: log in, or TLS, first.
  if (responseCode < 500 || responseCode === 503 || responseCode === 530) return false
  return command === 'RCPT TO' || command === 'DATA'
}

function wordsOf({ code, originalCode, responseCode, response = '', command }: Failure): string {
  if (responseCode === undefined) {
    // Nothing but the time limit ends a mail.
    const name = code === 'EABORT' ? 'ETIMEDOUT' : (originalCode ?? code ?? 'unknown error')
    return `the mail server could not be used (${name})`
  }
  const [, detail] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const codes = detail === undefined ? responseCode : `${responseCode} ${detail}`
  return `SMTP ${codes} (${command ?? 'no command'})`
}
