import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type SmtpOptions = {
  host?: string
  port?: number
  /** The credentials of senders; without them no sign-in is needed. */
  login?: { user: string; password: string }
  /** TLS with a self-signed certificate: never, on request by the client, or from the first byte. */
  tls?: 'never' | 'starttls' | 'always'
  /** The maximum size of a message in bytes, which is announced to clients. */
  sizeLimit?: number
}

export type SmtpMessage = {
  /** The envelope. It determines the recipients, not the headers. */
  from: string
  to: string[]
  raw: string
  /** Whether it came over TLS. */
  secure: boolean
}

export type SmtpFailure =
  | { mode: 'ok' }
  /** Accepts the connection and sends no greeting. */
  | { mode: 'silent' }
  /** Drops the connection in the middle of the message. */
  | { mode: 'hang-up' }
  /** Refuses: temporarily with 4xx, permanently with 5xx. */
  | {
      mode: 'refuse'
      at: 'connection' | 'sender' | 'recipient' | 'message'
      code: number
      text?: string
    }

export type SmtpSandbox = {
  /** The URL for clients, with credentials. Clients must not verify the certificate. */
  url: string
  port: number
  /** The accepted messages, the oldest first. */
  messages: readonly SmtpMessage[]
  fail(failure: SmtpFailure): void
  /** The number of open connections. */
  connections(): number
  close(): Promise<void>
}

/** A stand-in for a mail server: SMTP over TCP, without delivery. */
export async function startSmtp(options: SmtpOptions = {}): Promise<SmtpSandbox> {
  const { host = '127.0.0.1', login, tls = 'never' } = options
  const messages: SmtpMessage[] = []
  const sockets = new Set<Socket>()
  let failure: SmtpFailure = { mode: 'ok' }

  /** The configured refusal for this command, if any. */
  function refusalAt(point: 'connection' | 'sender' | 'recipient' | 'message') {
    if (failure.mode !== 'refuse' || failure.at !== point) return null
    return replyOf(failure.code, failure.text ?? 'the sandbox was told to refuse')
  }

  const server = new SMTPServer({
    // It would also warn about its built-in certificate.
    logger: false,
    disableReverseLookup: true,
    secure: tls === 'always',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    // Accepts passwords without TLS, so that tests notice a client that sends one.
    allowInsecureAuth: true,
    authOptional: login === undefined,
    ...(options.sizeLimit !== undefined && { size: options.sizeLimit }),
    onConnect(_session, answer) {
      if (failure.mode !== 'silent') answer(refusalAt('connection'))
    },
    onAuth({ username, password }, _session, answer) {
      const isKnown = username === login?.user && password === login?.password
      if (isKnown) answer(null, { user: username })
      else answer(replyOf(535, `5.7.8 ${username} may not log in with ${password}`))
    },
    onMailFrom: (_address, _session, answer) => answer(refusalAt('sender')),
    onRcptTo: (_address, _session, answer) => answer(refusalAt('recipient')),
    onData(stream, session, answer) {
      if (failure.mode === 'hang-up') {
        stream.once('data', () => {
          for (const socket of sockets) {
            if (socket.remotePort === session.remotePort) socket.destroy()
          }
        })
        return
      }
      const take = (raw: string) => {
        const refusal = stream.sizeExceeded ? replyOf(552, '5.3.4 too large') : refusalAt('message')
        if (refusal) return answer(refusal)
        const { mailFrom, rcptTo } = session.envelope
        messages.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
          secure: session.secure,
        })
        answer()
      }
      // The stream also ends when the client disconnects, and no response is possible then.
      text(stream).then(take, () => {})
    },
  })
  // Disconnects and certificate errors are expected here.
  server.on('error', () => {})
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the sandbox has no port')

  const url = new URL(`${tls === 'always' ? 'smtps' : 'smtp'}://${host}:${address.port}`)
  url.username = encodeURIComponent(login?.user ?? '')
  url.password = encodeURIComponent(login?.password ?? '')
  return {
    url: url.href,
    port: address.port,
    messages,
    fail(next) {
      failure = next
    },
    connections: () => sockets.size,
    async close() {
      if (!server.server.listening) return
      server.close()
      // A graceful close would wait for the clients.
      for (const socket of sockets) socket.destroy()
      await once(server.server, 'close')
    },
  }
}

/** An error that smtp-server sends as an SMTP reply. */
function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
