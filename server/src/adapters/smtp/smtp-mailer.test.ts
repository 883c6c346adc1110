import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { type SmtpFailure, type SmtpOptions, startSmtp } from '@bancone/sandbox/smtp'
import PostalMime from 'postal-mime'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failureOf as errorOf } from '../../../test/failure-of.ts'
import { type Mail, MailerError } from '../../ports/mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

const from = 'Bancone <bancone@example.it>'
const login = { user: 'bancone@example.it', password: 's3greta/p@ss:wörd' }
const link = 'https://bancone.example.it/conferma?token=abcdef0123456789&type=recovery'
const mail: Mail = {
  to: 'anna.verdi@example.it',
  subject: 'Perché la città è così – 50 € e più, «virgolette» e altro ancora, fino a due righe',
  text: `Così è: perché, città, più, €, 🙂\n\n.\n${link}\n\n${'parola '.repeat(200)}fine`,
  html: `<p>Così è: perché, città, più, €, 🙂</p><a href="${link.replace('&', '&amp;')}">Apri</a>`,
}
const lax = '?tls.rejectUnauthorized=false'

function mailerTo(url: string, timeoutMs?: number) {
  const mailer = createSmtpMailer({ url, from, ...(timeoutMs !== undefined && { timeoutMs }) })
  onTestFinished(() => mailer.close())
  return mailer
}

async function start(options: SmtpOptions = {}, settings = '', timeoutMs?: number) {
  const smtp = await startSmtp(options)
  onTestFinished(() => smtp.close())
  return { smtp, mailer: mailerTo(smtp.url + settings, timeoutMs) }
}

/** The error of a call that must fail, which must not quote the mail or the password. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await errorOf(work, MailerError)
  const said = inspect(error, { depth: 20, showHidden: true })
  for (const secret of ['anna', 'verdi', 'token', 'abcdef', 'Perch', 's3greta', 's3greta%2F']) {
    expect(said).not.toContain(secret)
  }
  return error
}

const unavailable = (message: string) => ({ kind: 'unavailable', message })
const refused = (message: string) => ({ kind: 'refused', message })
const unusable = (code: string) => unavailable(`the mail server could not be used (${code})`)

describe('a mail', () => {
  it('arrives as it was written', async () => {
    const { smtp, mailer } = await start()
    await mailer.send(mail)
    expect(smtp.messages).toMatchObject([{ from: 'bancone@example.it', to: [mail.to] }])
    const raw = smtp.messages[0]?.raw ?? ''
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(raw).not.toMatch(/nodemailer/i)
    const { subject, text, html, ...parsed } = await PostalMime.parse(raw)
    // The parser ends every part with a line break.
    expect({ to: mail.to, subject, text: text?.trimEnd(), html: html?.trimEnd() }).toEqual(mail)
    expect(parsed.from).toEqual({ name: 'Bancone', address: 'bancone@example.it' })
    expect(parsed.to).toEqual([{ name: '', address: mail.to }])
    expect(parsed.attachments).toEqual([])
    expect(Math.abs(Date.parse(parsed.date ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('of many goes by few connections, and all arrive', async () => {
    const { smtp, mailer } = await start()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, smtp.connections())
    }, 5)
    const names = Array.from({ length: 20 }, (_, index) => `u${index}@example.it`)
    await Promise.all(names.map((to) => mailer.send({ ...mail, to })))
    clearInterval(watch)
    expect(smtp.messages).toHaveLength(20)
    expect(new Set(smtp.messages.flatMap(({ to }) => to))).toEqual(new Set(names))
    expect(most).toBeLessThanOrEqual(2)
  })

  it.each([
    { tls: 'always', secure: true },
    { tls: 'starttls', secure: true },
  ] as const)('is encrypted when TLS is $tls', async ({ tls, secure }) => {
    const { smtp, mailer } = await start({ tls, login }, lax)
    await mailer.send(mail)
    expect(smtp.messages).toMatchObject([{ secure }])
  })

  it('that reads like a path or an address is not read from there', async () => {
    const { smtp, mailer } = await start()
    await mailer.send({ ...mail, text: '/etc/passwd', html: 'file:///etc/passwd' })
    const { text, html } = await PostalMime.parse(smtp.messages[0]?.raw ?? '')
    expect([text, html].map((part) => part?.trim())).toEqual(['/etc/passwd', 'file:///etc/passwd'])
  })
})

describe('what the server says of', () => {
  it.each([
    ['connection', 421, unavailable('SMTP 421 (CONN)')],
    ['connection', 554, unavailable('SMTP 554 (CONN)')],
    ['sender', 451, unavailable('SMTP 451 (MAIL FROM)')],
    ['sender', 550, unavailable('SMTP 550 (MAIL FROM)')],
    ['recipient', 421, unavailable('SMTP 421 (CONN)')],
    ['recipient', 451, unavailable('SMTP 451 (RCPT TO)')],
    ['recipient', 530, unavailable('SMTP 530 (RCPT TO)')],
    ['recipient', 550, refused('SMTP 550 (RCPT TO)')],
    ['message', 452, unavailable('SMTP 452 (DATA)')],
    ['message', 554, refused('SMTP 554 (DATA)')],
  ] as const)('the %s, when it is %i, is told apart', async (at, code, failure) => {
    const { smtp, mailer } = await start()
    smtp.fail({ mode: 'refuse', at, code, text: `<${mail.to}>: no, for ${link} s3greta` })
    expect(await failureOf(mailer.send(mail))).toMatchObject(failure)
    expect(smtp.messages).toEqual([])
    smtp.fail({ mode: 'ok' })
    await mailer.send(mail)
    expect(smtp.messages).toHaveLength(1)
  })

  it('the reason, as a number, is told', async () => {
    const { smtp, mailer } = await start()
    const text = `5.1.1 <${mail.to}>: Recipient address rejected`
    smtp.fail({ mode: 'refuse', at: 'recipient', code: 550, text })
    const failure = refused('SMTP 550 5.1.1 (RCPT TO)')
    expect(await failureOf(mailer.send(mail))).toMatchObject(failure)
  })

  it('a mail that is larger than it takes is told apart', async () => {
    const { mailer } = await start({ sizeLimit: 1000 })
    const failure = refused('SMTP 552 5.3.4 (DATA)')
    expect(await failureOf(mailer.send(mail))).toMatchObject(failure)
  })
})

describe('a server that', () => {
  const ways: { what: string; failure: SmtpFailure; code: string }[] = [
    { what: 'is silent', failure: { mode: 'silent' }, code: 'ETIMEDOUT' },
    { what: 'drops the connection', failure: { mode: 'hang-up' }, code: 'ECONNECTION' },
  ]
  it.each(ways)('$what is unavailable, and the next mail goes', async ({ failure, code }) => {
    const { smtp, mailer } = await start({}, '', 600)
    smtp.fail(failure)
    expect(await failureOf(mailer.send(mail))).toMatchObject(unusable(code))
    smtp.fail({ mode: 'ok' })
    await mailer.send(mail)
    // Not retried: the mail of a dropped connection may have been accepted.
    expect(smtp.messages).toHaveLength(1)
  })

  it('is not there is unavailable', async () => {
    const { smtp, mailer } = await start()
    await smtp.close()
    expect(await failureOf(mailer.send(mail))).toMatchObject(unusable('ECONNREFUSED'))
  })

  it('never comes to an end has a limit in all', async () => {
    const server = createServer((socket) => {
      socket.write('220 it begins well\r\n')
      const drip = setInterval(() => socket.write('250-one moment\r\n'), 50)
      socket.on('error', () => {})
      socket.on('close', () => clearInterval(drip))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const mailer = mailerTo(`smtp://127.0.0.1:${port}`, 400)
    expect(await failureOf(mailer.send(mail))).toMatchObject(unusable('ETIMEDOUT'))
  })

  it('knows another password is unavailable: a setting may mend it', async () => {
    const { smtp } = await start({ login, tls: 'always' })
    const url = new URL(smtp.url + lax)
    url.password = encodeURIComponent(`${login.password}!`)
    const failure = unavailable('SMTP 535 5.7.8 (AUTH PLAIN)')
    expect(await failureOf(mailerTo(url.href).send(mail))).toMatchObject(failure)
  })

  it('wants a login and is given none is unavailable', async () => {
    const { smtp } = await start({ login })
    const url = new URL(smtp.url)
    url.username = ''
    url.password = ''
    const failure = unavailable('SMTP 530 (MAIL FROM)')
    expect(await failureOf(mailerTo(url.href).send(mail))).toMatchObject(failure)
  })

  it('has no TLS is not told the password', async () => {
    const { smtp, mailer } = await start({ login, tls: 'never' })
    expect(await failureOf(mailer.send(mail))).toMatchObject({ kind: 'unavailable' })
    expect(smtp.messages).toEqual([])
  })

  it.each(['always', 'starttls'] as const)(
    'has an untrusted certificate (TLS %s) is sent no mail',
    async (tls) => {
      const { smtp, mailer } = await start({ login, tls })
      // Which of its faults is reported first depends on the version of Node.
      expect(await failureOf(mailer.send(mail))).toMatchObject({ kind: 'unavailable' })
      expect(smtp.messages).toEqual([])
    },
  )
})

describe('an address or a subject', () => {
  it('that is not one address is refused, and nothing is sent', async () => {
    const { smtp, mailer } = await start()
    const failure = refused('the address of the mail is not one')
    for (const to of [
      'anna.verdi@example.it\r\nBcc: other@example.it',
      'anna.verdi@example.it\nRCPT TO:<other@example.it>',
      'anna.verdi@example.it\0',
      'anna.verdi@example.it, other@example.it',
      'anna.verdi@example.it;other@example.it',
      'Anna <anna.verdi@example.it>',
      'anna.verdi@example.it> SIZE=1 <',
      'a group: anna.verdi@example.it',
      '"anna verdi"@example.it',
      'anna.verdi',
      `${'anna'.repeat(70)}@example.it`,
      '',
    ]) {
      expect(await failureOf(mailer.send({ ...mail, to })), to).toMatchObject(failure)
    }
    expect(smtp.connections()).toBe(0)
  })

  it.each([
    'Ciao\r\nBcc: other@example.it',
    'Ciao\nX-Other: 1\n\nbody',
    'Ciao\r\n.\r\nMAIL FROM:<a@x.it>',
  ])('stays on its line: %j', async (subject) => {
    const { smtp, mailer } = await start()
    await mailer.send({ ...mail, subject })
    expect(smtp.messages).toMatchObject([{ to: [mail.to] }])
    const parsed = await PostalMime.parse(smtp.messages[0]?.raw ?? '')
    expect(parsed.headers.map(({ key }) => key)).not.toContain('x-other')
    expect([parsed.bcc, parsed.text?.trimEnd()]).toEqual([undefined, mail.text])
  })

  it('of letters beyond ASCII arrives', async () => {
    const { smtp, mailer } = await start()
    await mailer.send({ ...mail, to: 'anna@città.example.it' })
    expect(smtp.messages).toMatchObject([{ to: ['anna@città.example.it'] }])
    expect(smtp.messages[0]?.raw).toMatch(/^To: anna@xn--citt-3na\.example\.it\r$/m)
  })
})

it('a mail that is too large is refused before it is sent', async () => {
  const { smtp, mailer } = await start()
  // Two bytes for each letter: fewer letters than the limit, and more bytes.
  const text = 'è'.repeat(130 * 1024)
  const failure = refused('the mail is too large')
  expect(await failureOf(mailer.send({ ...mail, text }))).toMatchObject(failure)
  expect(smtp.connections()).toBe(0)
  await mailer.send({ ...mail, text: 'è'.repeat(120 * 1024) })
  expect(smtp.messages).toHaveLength(1)
})

describe('once closed', () => {
  it('it leaves no connection behind, and takes no mail', async () => {
    const { smtp, mailer } = await start()
    await mailer.send(mail)
    expect(smtp.connections()).toBe(1)
    mailer.close()
    await expect.poll(() => smtp.connections()).toBe(0)
    expect(await failureOf(mailer.send(mail))).toMatchObject(unusable('ECONNECTION'))
  })

  it('what is being sent comes to its end', async () => {
    const { smtp, mailer } = await start()
    const sending = mailer.send(mail)
    await expect.poll(() => smtp.connections()).toBe(1)
    mailer.close()
    await sending
    expect(smtp.messages).toHaveLength(1)
    await expect.poll(() => smtp.connections()).toBe(0)
  })
})
