import { z } from 'zod'
import { type CheckedMailer, type Mail, MailerError } from '../../ports/mailer.ts'

/** The parsed SMTP_URL: the mail server and the connection options. */
type SmtpAddress = {
  host: string
  /** The default port of the protocol if the URL has none. */
  port?: number
  secure: boolean
  requireTLS: boolean
  auth?: { user: string; pass: string }
  tls: { rejectUnauthorized: boolean }
}

const KNOWN_SETTINGS = new Set(['', '?tls.rejectUnauthorized=false'])

/**
 * Parses SMTP_URL. `smtp://user:password@host:587` uses STARTTLS if the server offers it and requires it before sending
 * a password; `smtps://` uses TLS from the start. `?tls.rejectUnauthorized=false` accepts a self-signed certificate.
 *
 * @throws Error without the URL in its message, because it contains a password
 */
export function parseSmtpUrl(text: string): SmtpAddress {
  try {
    const url = new URL(text)
    const { protocol, hostname, port, pathname, search, hash } = url
    const user = decodeURIComponent(url.username)
    const pass = decodeURIComponent(url.password)
    const isPlain = protocol === 'smtp:'
    // An unencoded slash in the password would be parsed as the beginning of the path.
    const isWhole = hostname !== '' && /^\/?$/.test(pathname) && hash === ''
    const isKnown = (isPlain || protocol === 'smtps:') && KNOWN_SETTINGS.has(search)
    if (isWhole && isKnown) {
      return {
        host: hostname.replace(/^\[(.*)\]$/, '$1'),
        ...(port !== '' && { port: Number(port) }),
        secure: !isPlain,
        requireTLS: isPlain && pass !== '',
        ...((user || pass) && { auth: { user, pass } }),
        tls: { rejectUnauthorized: search === '' },
      }
    }
  } catch {
    // Without the cause: the error of `URL` quotes the URL.
  }
  throw new Error('the address of the mail server is not smtp://… or smtps://…')
}

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
function asMailerError(error: unknown): MailerError {
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

type SmtpOptions = {
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
  const settings = {
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
  } as const
  // With the first mail: the library is large, and few processes send any.
  const open = async () => (await import('nodemailer')).createTransport(settings)
  let opening: ReturnType<typeof open> | undefined
  const transport = () => (opening ??= open())
  return {
    async send(mail) {
      const message = messageOf(mail, options.from)
      try {
        // The limits above restart with every response of the server; this one does not.
        await (await transport()).sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) })
      } catch (error) {
        throw asMailerError(error)
      }
    },
    async check() {
      try {
        await withTimeLimit((await transport()).verify(), timeoutMs)
      } catch (error) {
        const failure = asMailerError(error)
        // For a mail a refused login is transient, because an administrator can mend it.
        const isLogin = error instanceof Error && 'code' in error && error.code === 'EAUTH'
        throw isLogin ? new MailerError('refused', failure.message) : failure
      }
    },
    close: () => void opening?.then((opened) => opened.close()),
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
