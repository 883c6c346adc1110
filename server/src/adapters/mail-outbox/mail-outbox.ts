import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type MailComposer from 'nodemailer/lib/mail-composer'
import { type Mailer, MailerError } from '../../ports/mailer.ts'
import { messageOf } from '../smtp/mail-message.ts'

export type MailOutboxOptions = {
  folder: string
  /** `Bancone <bancone@example.it>`. */
  from: string
  now?: () => number
  /** Told of every mail, so that somebody may be told where to look. */
  onWritten?: (file: string) => void
}

/** Where no mail server is: every mail is a file that any mail program opens. */
export function createMailOutbox(options: MailOutboxOptions): Mailer {
  const { folder, from, now = Date.now, onWritten } = options

  async function write(file: string, composer: MailComposer): Promise<void> {
    const unfinished = `${file}.tmp`
    try {
      const content = await composer.compile().build()
      // They hold links that open an account: nobody else on this machine reads them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 })
      await rename(unfinished, file)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw new MailerError('unavailable', `the mail could not be written (${codeOf(error)})`)
    }
  }

  return {
    async send(mail) {
      const date = new Date(now())
      const message = messageOf(mail, from)
      // Read with the first mail: most processes of a demo never write one.
      const { default: Composer } = await import('nodemailer/lib/mail-composer')
      const composer = new Composer({ ...message, date, newline: 'win' })
      // Colons are not for file names on every system. Two mails of the same millisecond differ.
      const time = date.toISOString().replaceAll(':', '-')
      const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
      await write(file, composer)
      onWritten?.(file)
    },
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
