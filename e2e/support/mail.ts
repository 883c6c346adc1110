import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { App } from './app.ts'
import { until } from './process.ts'

export type ReadMail = { subject: string; text: string; link: string }

/** What that address was sent, oldest first, as a person finds it in their inbox. */
async function inbox(app: App, address: string): Promise<ReadMail[]> {
  const folder = join(app.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const found: ReadMail[] = []
  for (const name of names.toSorted()) {
    const {
      to,
      subject = '',
      text = '',
    } = await PostalMime.parse(await readFile(join(folder, name)))
    if (to?.[0]?.address !== address) continue
    found.push({ subject, text, link: /https?:\/\/\S+/.exec(text)?.[0] ?? '' })
  }
  return found
}

/** The n-th mail to that address, once it is there. @param about only those with that subject */
export async function nthMail(
  app: App,
  address: string,
  n: number,
  about?: string,
): Promise<ReadMail> {
  let mail: ReadMail | undefined
  await until(`mail ${n} to ${address}`, async () => {
    const mails = await inbox(app, address)
    mail = mails.filter(({ subject }) => about === undefined || subject === about)[n - 1]
    return mail !== undefined
  })
  if (!mail) throw new Error('there is no mail')
  return mail
}
