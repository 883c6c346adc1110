import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inspect } from 'node:util'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { failureOf as errorOf } from '../../../test/failure-of.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import type { Mail } from '../../ports/mailer.ts'
import { createMailOutbox } from './mail-outbox.ts'

const from = 'Bancone <bancone@example.it>'
const at = Date.parse('2026-11-21T10:20:30.123Z')
const link = 'https://bancone.example.it/conferma?token=abcdef0123456789&type=recovery'
const mail: Mail = {
  to: 'anna.verdi@example.it',
  subject: 'Perché la città è così – 50 € e più',
  text: `Così è: perché, città, più, €, 🙂\n\n${link}`,
  html: `<p>Così è: perché, città</p><a href="${link.replace('&', '&amp;')}">Apri</a>`,
}

async function start() {
  const place = await temporaryFolder()
  // Two levels that are not there yet.
  const folder = join(place, 'data', 'mails')
  const written: string[] = []
  let time = at
  const mailer = createMailOutbox({
    folder,
    from,
    now: () => time,
    onWritten: (file) => written.push(file),
  })
  const move = (milliseconds: number) => {
    time += milliseconds
  }
  return { folder, written, mailer, move, files: () => readdir(folder) }
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('a mail', () => {
  it('is a file that a mail program reads', async () => {
    const { written, mailer } = await start()
    await mailer.send(mail)
    const raw = await readFile(written[0] ?? '')
    expect(raw.toString()).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    // What is not ASCII is encoded, and every line ends as RFC 822 has it.
    expect(raw.toString()).not.toMatch(/[^\r]\n|\P{ASCII}/u)
    const { subject, text, html, ...parsed } = await PostalMime.parse(raw)
    // The parser ends every part with a line break.
    expect({ to: mail.to, subject, text: text?.trimEnd(), html: html?.trimEnd() }).toEqual(mail)
    expect(parsed.from).toEqual({ name: 'Bancone', address: 'bancone@example.it' })
    expect(parsed.to).toEqual([{ name: '', address: mail.to }])
    expect(parsed.date).toBe('2026-11-21T10:20:30.000Z')
  })

  it('has the time in its name, nothing of the person, and is told', async () => {
    const { folder, written, mailer, files } = await start()
    await mailer.send(mail)
    const [name = ''] = await files()
    expect(name).toMatch(/^2026-11-21T10-20-30\.123Z-[0-9a-f]{8}\.eml$/)
    expect(written).toEqual([join(folder, name)])
  })

  it('is for its owner alone on the machine', async () => {
    const { folder, written, mailer } = await start()
    await mailer.send(mail)
    expect(await modeOf(folder)).toBe('700')
    expect(await modeOf(dirname(folder))).toBe('700')
    expect(await modeOf(written[0] ?? '')).toBe('600')
  })

  it('leaves the mode of a folder that is there', async () => {
    const { folder, mailer } = await start()
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o750)
    await mailer.send(mail)
    expect(await modeOf(folder)).toBe('750')
  })

  it.each(['a@x.it\r\nBcc: b@x.it', 'a@x.it, b@x.it', 'a'])('to %j is refused', async (to) => {
    const { folder, mailer } = await start()
    await expect(mailer.send({ ...mail, to })).rejects.toMatchObject({ kind: 'refused' })
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('keeps its subject on its line', async () => {
    const { written, mailer } = await start()
    await mailer.send({ ...mail, subject: 'Ciao\r\nBcc: b@x.it\r\n\r\nbody' })
    const parsed = await PostalMime.parse(await readFile(written[0] ?? ''))
    expect([parsed.bcc, parsed.text?.trimEnd()]).toEqual([undefined, mail.text])
  })
})

describe('many mails', () => {
  it('are sorted by their time', async () => {
    const { written, mailer, move, files } = await start()
    for (const pause of [1, 999, 86_400_000, 0]) {
      await mailer.send(mail)
      move(pause)
    }
    const names = (await files()).sort()
    expect(names).toEqual(written.map((file) => basename(file)))
  })

  it('of one moment are all there, whole, and no reader ever sees half of one', async () => {
    const { folder, mailer, files } = await start()
    await mkdir(folder, { recursive: true })
    const looking = new AbortController()
    const halves = new Set<string>()
    const looked = (async () => {
      while (!looking.signal.aborted) {
        for (const name of (await files()).filter((file) => file.endsWith('.eml'))) {
          if ((await stat(join(folder, name))).size < 100_000) halves.add(name)
        }
      }
    })()
    const large = { ...mail, text: 'parola '.repeat(20_000) }
    const subjects = Array.from({ length: 25 }, (_, index) => `Numero ${index}`)
    await Promise.all(subjects.map((subject) => mailer.send({ ...large, subject })))
    looking.abort()
    await looked
    expect(halves).toEqual(new Set())
    const raws = await Promise.all((await files()).map((name) => readFile(join(folder, name))))
    const parsed = await Promise.all(raws.map((raw) => PostalMime.parse(raw)))
    expect(parsed).toHaveLength(25)
    expect(new Set(parsed.map(({ subject }) => subject))).toEqual(new Set(subjects))
  })
})

describe('a folder that', () => {
  async function failureOf(work: Promise<unknown>) {
    const error = await errorOf(work)
    const said = inspect(error, { depth: 20, showHidden: true })
    for (const secret of ['anna', 'token', 'Perch']) expect(said).not.toContain(secret)
    return error
  }

  it.each([
    { what: 'is a file', code: 'EEXIST' },
    { what: 'is in a file', code: 'ENOTDIR' },
  ])('$what is unavailable, and works when it is mended', async ({ code }) => {
    const { folder, written, mailer } = await start()
    const inTheWay = code === 'EEXIST' ? folder : dirname(folder)
    await mkdir(dirname(inTheWay), { recursive: true })
    await writeFile(inTheWay, '')
    expect(await failureOf(mailer.send(mail))).toMatchObject({
      name: 'MailerError',
      kind: 'unavailable',
      message: `the mail could not be written (${code})`,
    })
    expect(written).toEqual([])
    await rm(inTheWay)
    await mailer.send(mail)
    expect(written).toHaveLength(1)
  })
})
