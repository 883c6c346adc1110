/** The parsed SMTP_URL: the mail server and the connection options. */
export type SmtpAddress = {
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
