import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type MailComposer from 'nodemailer/lib/mail-composer'
import { type CheckedMailer, MailerError } from '../../ports/mailer.ts'
import { messageOf } from '../smtp/smtp-mailer.ts'

export type MailOutboxOptions = {
  folder: string
  /** `Bancone <bancone@example.it>`. */
  from: string
  now?: () => number
  /** Called with the path of every mail. */
  onWritten?: (file: string) => void
}

/** A mailer without a mail server: writes every mail as an `.eml` file. */
export function createMailOutbox(options: MailOutboxOptions): CheckedMailer {
  const { folder, from, now = Date.now, onWritten } = options

  async function write(file: string, composer: MailComposer): Promise<void> {
    const unfinished = `${file}.tmp`
    try {
      const content = await composer.compile().build()
      // Mails contain sign-in links: other users of this machine must not read them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 })
      await rename(unfinished, file)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw new MailerError('unavailable', `the mail could not be written (${codeOf(error)})`)
    }
  }

  return {
    async check() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await access(folder, constants.W_OK)
      } catch (error) {
        throw new MailerError('unavailable', `the folder cannot be written (${codeOf(error)})`)
      }
    },

    async send(mail) {
      const date = new Date(now())
      const message = messageOf(mail, from)
      // Imported with the first mail: most demo processes never write one.
      const { default: Composer } = await import('nodemailer/lib/mail-composer')
      const composer = new Composer({ ...message, date, newline: 'win' })
      // No colons, which some systems forbid in file names. A random part separates mails of the same millisecond.
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
