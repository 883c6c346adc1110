import { mkdir, readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import PostalMime from 'postal-mime'
import { vi } from 'vitest'
import type { AuthLimitName } from '../src/platform/auth/auth-limits.ts'
import { runJobs } from '../src/platform/jobs.ts'
import type { Limit } from '../src/platform/rate-limits.ts'
import type { Settings } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { type TestServer, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

export type ReadMail = {
  to: string
  subject: string
  text: string
  html: string
  /** The link of the mail, and the parameters of its query and fragment. */
  link: URL
  linked: URLSearchParams
  /** The code of the mail; empty when there is none. */
  code: string
}

export type AuthServer = Omit<TestServer, 'jobs'> & {
  /** `http://…/auth/v1` */
  url: string
  origin: string
  /** Waits for the next mail to that address that was not returned before. */
  nextMail(to: string): Promise<ReadMail>
  /** All mails so far. */
  mails(): Promise<ReadMail[]>
}

const generous: Limit = { points: 100_000, seconds: 60 }

/** Limits that tests of other features do not reach. */
export const noLimits = {
  'mail-interval': generous,
  'mail-pair': generous,
  'mail-account': generous,
  'own-mail-interval': generous,
  'mail-address': generous,
  'verify-address': generous,
  'account-change': generous,
  'login-address': generous,
  'login-account': generous,
} as const satisfies Partial<Record<AuthLimitName, Limit>>

/** The real application, listening, with its jobs running and its mails written to a folder. */
export async function authServer(
  settings: Partial<Settings> = {},
  log?: FastifyBaseLogger,
): Promise<AuthServer> {
  const outbox = join(await testFileFolder(), 'outbox')
  await mkdir(outbox)
  const mail = { smtpUrl: undefined, from: 'Bancone <bancone@example.it>', outbox }
  const server = await testServer({ mail, limits: noLimits, ...settings }, log)
  const jobs = await runJobs(server.database.url, { tasks: server.jobs.tasks }, silentLog)
  atEnd(jobs.stop)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  const taken = new Set<string>()
  async function files(): Promise<string[]> {
    return (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted()
  }
  return {
    ...server,
    origin,
    url: `${origin}/auth/v1`,
    async mails() {
      return Promise.all((await files()).map((name) => readMail(join(outbox, name))))
    },
    nextMail: (to) =>
      vi.waitUntil(
        async () => {
          for (const name of await files()) {
            if (taken.has(name)) continue
            const read = await readMail(join(outbox, name))
            if (read.to !== to) continue
            taken.add(name)
            return read
          }
          return undefined
        },
        { timeout: 10_000, interval: 20 },
      ),
  }
}

async function readMail(path: string): Promise<ReadMail> {
  const { to, subject = '', text = '', html = '' } = await PostalMime.parse(await readFile(path))
  const [address = ''] = /https?:\/\/\S+/.exec(text) ?? []
  const link = new URL(address === '' ? 'about:blank' : address)
  const linked = new URLSearchParams([
    ...link.searchParams,
    ...new URLSearchParams(link.hash.slice(1)),
  ])
  const [, code = ''] = /^\s*(\d{6})\s*$/m.exec(text) ?? []
  return { to: to?.[0]?.address ?? '', subject, text, html, link, linked, code }
}
