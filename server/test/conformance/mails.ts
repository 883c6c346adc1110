import { expect, vi } from 'vitest'
import type { AuthServer, ReadMail } from '../auth-server.ts'

/** Waits until all mail jobs are done. */
async function jobsDone(server: AuthServer): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await server.database.pool.query<{ left: number }>(
        'select count(*)::int as left from graphile_worker.jobs',
      )
      return rows[0]?.left === 0
    },
    { timeout: 10_000, interval: 20 },
  )
}

/** The mails to that address, after all mail jobs are done. */
export async function mailsTo(server: AuthServer, to: string): Promise<ReadMail[]> {
  await jobsDone(server)
  return (await server.mails()).filter((mail) => mail.to === to)
}

/** The token in a mail's link to the application's own page. */
export function tokenOf(mail: ReadMail): string {
  const token = mail.linked.get('token_hash')
  if (!token) throw new Error(`no token in ${mail.link.href}`)
  return token
}

/** Opens a link of the protocol on the test server. */
export function open(server: AuthServer, link: string | URL): Promise<Response> {
  const { pathname, search } = new URL(link)
  return fetch(server.origin + pathname + search, { redirect: 'manual' })
}

/** The redirect target of the confirmation page or its form. */
export function redirectOf(reply: Response): { url: URL; fragment: URLSearchParams } {
  expect(reply.status).toBe(303)
  const url = new URL(reply.headers.get('location') ?? 'about:blank')
  return { url, fragment: new URLSearchParams(url.hash.slice(1)) }
}

/** Opens a link's confirmation page, and returns its form. */
export async function formOf(server: AuthServer, link: string | URL) {
  const reply = await open(server, link)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/)
  const html = await reply.text()
  expect(html).toMatch(/<form method="post"/)
  const action = new URL(/<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? '', server.origin)
  const fields = new URLSearchParams()
  for (const [, name = '', value = ''] of html.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)">/g,
  )) {
    fields.append(unescaped(name), unescaped(value))
  }
  return { action, fields }
}

/** Submits a form. */
export function submit(form: { action: URL; fields: URLSearchParams }): Promise<Response> {
  return fetch(form.action, { method: 'POST', body: form.fields, redirect: 'manual' })
}

/** Opens a link's confirmation page and submits its form. */
export async function openAndSubmit(server: AuthServer, link: string | URL) {
  return redirectOf(await submit(await formOf(server, link)))
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
