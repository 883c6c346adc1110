/** Where the mail server is, and how to speak to it. */
export type SmtpAddress = {
  host: string
  /** The usual one for the way of speaking where it is left out. */
  port?: number
  secure: boolean
  requireTLS: boolean
  auth?: { user: string; pass: string }
  tls: { rejectUnauthorized: boolean }
}

const KNOWN_SETTINGS = new Set(['', '?tls.rejectUnauthorized=false'])

/**
 * `smtp://user:password@host:587` speaks TLS as soon as the server offers it, and must before the
 * password is sent; `smtps://` from the first byte. `?tls.rejectUnauthorized=false` takes the
 * certificate of a server of one's own, which nobody has signed.
 *
 * @throws Error that does not quote the address: it holds a password
 */
export function parseSmtpUrl(text: string): SmtpAddress {
  try {
    const url = new URL(text)
    const { protocol, hostname, port, pathname, search, hash } = url
    const user = decodeURIComponent(url.username)
    const pass = decodeURIComponent(url.password)
    const isPlain = protocol === 'smtp:'
    // A password with a slash in it that is not encoded looks like a host and a path.
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
    // Not passed on: the error of URL quotes the address.
  }
  throw new Error('the address of the mail server is not smtp://… or smtps://…')
}
