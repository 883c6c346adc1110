import { z } from 'zod'
import { MailerError } from '../../ports/mailer.ts'

/** The fields of a nodemailer error. The message is not used: servers quote addresses and content in it. */
const Failure = z
  .object({
    code: z.string(),
    /** The system error code, such as ECONNREFUSED, where nodemailer uses a code of its own. */
    originalCode: z.string(),
    responseCode: z.number(),
    response: z.string(),
    command: z.string(),
  })
  .partial()
type Failure = z.infer<typeof Failure>

/** Converts any error of sending into a MailerError, whose message consists of codes. */
export function asMailerError(error: unknown): MailerError {
  if (error instanceof MailerError) return error
  const { data: failure = {} } = Failure.safeParse(error)
  return new MailerError(isRefusal(failure) ? 'refused' : 'unavailable', wordsOf(failure))
}

/**
 * Whether the server refused this particular message. A refusal of the greeting, the login or the sender concerns every
 * message and is fixed in the configuration, after which the message can be sent.
 */
function isRefusal({ responseCode = 0, command }: Failure): boolean {
  // 503: bad sequence of commands; 530: authentication or TLS required.
  if (responseCode < 500 || responseCode === 503 || responseCode === 530) return false
  return command === 'RCPT TO' || command === 'DATA'
}

function wordsOf({ code, originalCode, responseCode, response = '', command }: Failure): string {
  if (responseCode === undefined) {
    // Only the time limit ends the delivery.
    const name = code === 'EABORT' ? 'ETIMEDOUT' : (originalCode ?? code ?? 'unknown error')
    return `the mail server could not be used (${name})`
  }
  const [, detail] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const codes = detail === undefined ? responseCode : `${responseCode} ${detail}`
  return `SMTP ${codes} (${command ?? 'no command'})`
}
