import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import PostalMime from 'postal-mime'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type SmtpOptions, startSmtp } from './smtp.ts'

const login = { user: 'bancone@example.it', password: 'p@ss/wörd' }
const loginLine = `AUTH PLAIN ${btoa64(`\0${login.user}\0${login.password}`)}`
/** With eight-bit characters. */
const MAIL =
  'Subject: =?utf-8?q?Perch=C3=A9?=\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nCittà'
const sending = ['MAIL FROM:<da@x.it>', 'RCPT TO:<a@x.it>', 'RCPT TO:<b@x.it>', 'DATA']

function btoa64(text: string) {
  return Buffer.from(text).toString('base64')
}

async function start(options: SmtpOptions = {}) {
  const smtp = await startSmtp(options)
  onTestFinished(() => smtp.close())
  return smtp
}

/** A client that sends lines and reads the reply codes; null when the connection ends. */
function speaker(socket: Socket) {
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async () => {
    for (;;) {
      const line: IteratorResult<string, unknown> = await lines.next()
      if (line.done === true) return null
      if (/^\d{3} /.test(line.value)) return Number(line.value.slice(0, 3))
    }
  }
  const say = async (line: string) => {
    socket.write(`${line}\r\n`)
    return answer()
  }
  return { socket, answer, say }
}

const client = (port: number) => speaker(connect(port, '127.0.0.1'))

/** The reply codes of a mail, up to the first refusal. */
async function send({ answer, say }: ReturnType<typeof speaker>, first: string[] = []) {
  const codes = [await answer()]
  for (const line of ['EHLO test', ...first, ...sending, `${MAIL}\r\n.`]) {
    const last = codes.at(-1) ?? 500
    if (last < 400) codes.push(await say(line))
  }
  return codes
}

describe('a mail', () => {
  it('is kept as it came, with its envelope', async () => {
    const smtp = await start()
    expect(smtp.url).toBe(`smtp://127.0.0.1:${smtp.port}`)
    expect(await send(client(smtp.port))).toEqual([220, 250, 250, 250, 250, 354, 250])
    expect(smtp.messages).toMatchObject([{ from: 'da@x.it', to: ['a@x.it', 'b@x.it'] }])
    expect(smtp.messages).toMatchObject([{ secure: false }])
    expect(await PostalMime.parse(smtp.messages[0]?.raw ?? '')).toMatchObject({
      subject: 'Perché',
      text: 'Città\n',
    })
  })

  it('is not taken from who has not logged in, or wrongly', async () => {
    const smtp = await start({ login })
    const { username, password } = new URL(smtp.url)
    expect([username, password].map(decodeURIComponent)).toEqual([login.user, login.password])
    expect(await send(client(smtp.port))).toEqual([220, 250, 530])
    const wrong = `AUTH PLAIN ${btoa64('\0bancone\0wrong')}`
    expect(await send(client(smtp.port), [wrong])).toEqual([220, 250, 535])
    expect(smtp.messages).toEqual([])
    expect((await send(client(smtp.port), [loginLine])).at(-1)).toBe(250)
    expect(smtp.messages).toHaveLength(1)
  })

  it('comes over TLS from STARTTLS on, by a self-signed certificate', async () => {
    const smtp = await start({ tls: 'starttls' })
    const plain = client(smtp.port)
    expect([await plain.answer(), await plain.say('EHLO test')]).toEqual([220, 250])
    expect(await plain.say('STARTTLS')).toBe(220)
    plain.socket.removeAllListeners('data')
    const socket = connectTls({ socket: plain.socket, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(false)
    const { say } = speaker(socket)
    for (const line of ['EHLO test', ...sending, `${MAIL}\r\n.`]) {
      expect(await say(line)).toBeLessThan(400)
    }
    expect(smtp.messages).toMatchObject([{ secure: true }])
  })

  it('has no TLS where it is not asked for', async () => {
    const { answer, say } = client((await start()).port)
    expect([await answer(), await say('STARTTLS')]).toEqual([220, 500])
  })
})

describe('told to fail, it', () => {
  it.each([
    { at: 'connection', code: 421, codes: [421] },
    { at: 'sender', code: 451, codes: [220, 250, 451] },
    { at: 'recipient', code: 550, codes: [220, 250, 250, 550] },
    { at: 'message', code: 554, codes: [220, 250, 250, 250, 250, 354, 554] },
  ] as const)('refuses with $code at the $at, until told otherwise', async ({ codes, ...how }) => {
    const smtp = await start()
    smtp.fail({ mode: 'refuse', ...how })
    expect(await send(client(smtp.port))).toEqual(codes)
    expect(smtp.messages).toEqual([])
    smtp.fail({ mode: 'ok' })
    expect((await send(client(smtp.port))).at(-1)).toBe(250)
    expect(smtp.messages).toHaveLength(1)
  })

  it('never greets', async () => {
    const smtp = await start()
    smtp.fail({ mode: 'silent' })
    const { answer } = client(smtp.port)
    // Without the failure it greets after 100 ms.
    expect(await Promise.race([answer(), pause(400, 'silence')])).toBe('silence')
    expect(smtp.connections()).toBe(1)
  })

  it('drops the connection in the middle of a message', async () => {
    const smtp = await start()
    smtp.fail({ mode: 'hang-up' })
    expect(await send(client(smtp.port))).toEqual([220, 250, 250, 250, 250, 354, null])
    expect(smtp.messages).toEqual([])
  })
})

it('lets its port go when it is closed, also while a client is connected', async () => {
  const smtp = await start()
  const { socket, answer } = client(smtp.port)
  expect(await answer()).toBe(220)
  const closed = once(socket, 'close')
  await smtp.close()
  await closed
  expect(smtp.connections()).toBe(0)
  await smtp.close()
  const refused = once(connect(smtp.port, '127.0.0.1'), 'connect')
  await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
