import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type SmtpOptions = {
  host?: string
  port?: number
  /** Who may send; without it everybody may. */
  login?: { user: string; password: string }
  /** With a certificate that nobody has signed: not at all, if the client asks, or from the first byte. */
  tls?: 'never' | 'starttls' | 'always'
  /** Bytes a message may have; said to the client as well. */
  sizeLimit?: number
}

export type SmtpMessage = {
  /** The envelope, which decides where the message goes, whatever its headers say. */
  from: string
  to: string[]
  raw: string
  /** Whether it came over TLS. */
  secure: boolean
}

export type SmtpFailure =
  | { mode: 'ok' }
  /** Takes the connection and never greets. */
  | { mode: 'silent' }
  /** Drops the connection in the middle of the message. */
  | { mode: 'hang-up' }
  /** Says no: with 4xx for now, with 5xx for good. */
  | {
      mode: 'refuse'
      at: 'connection' | 'sender' | 'recipient' | 'message'
      code: number
      text?: string
    }

export type SmtpSandbox = {
  /** What to give a client, with the login. The client must not look at the certificate. */
  url: string
  port: number
  /** What was taken, the oldest first. */
  messages: readonly SmtpMessage[]
  fail(failure: SmtpFailure): void
  /** How many clients are connected now. */
  connections(): number
  close(): Promise<void>
}

/** A stand-in for the server that delivers mail: real SMTP over TCP, which delivers nothing. */
export async function startSmtp(options: SmtpOptions = {}): Promise<SmtpSandbox> {
  const { host = '127.0.0.1', login, tls = 'never' } = options
  const messages: SmtpMessage[] = []
  const sockets = new Set<Socket>()
  let failure: SmtpFailure = { mode: 'ok' }

  /** What to answer at this point: nothing, or the refusal the sandbox was told to give. */
  function refusalAt(point: 'connection' | 'sender' | 'recipient' | 'message') {
    if (failure.mode !== 'refuse' || failure.at !== point) return null
    return replyOf(failure.code, failure.text ?? 'the sandbox was told to refuse')
  }

  const server = new SMTPServer({
    // Also keeps it from warning of its own certificate, whose key is in its package.
    logger: false,
    disableReverseLookup: true,
    secure: tls === 'always',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    // A careless server: a client that would send its password in the open finds somebody to take it.
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
      // A client that hangs up on us ends the stream as well; there is nobody left to answer.
      text(stream).then(take, () => {})
    },
  })
  // Clients that hang up or do not like the certificate are what it is here for.
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
      // It would let clients finish; the tests do not wait for them.
      for (const socket of sockets) socket.destroy()
      await once(server.server, 'close')
    },
  }
}

/** An error that smtp-server sends as this reply. */
function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
