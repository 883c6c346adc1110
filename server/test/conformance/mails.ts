import { expect, vi } from 'vitest'
import type { AuthServer, ReadMail } from '../auth-server.ts'

/** Waits until every mail that was asked for has been written, or was found not to be due. */
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

/** The mails to that address, once there will be no more. */
export async function mailsTo(server: AuthServer, to: string): Promise<ReadMail[]> {
  await jobsDone(server)
  return (await server.mails()).filter((mail) => mail.to === to)
}

/** The token that a mail's link to our own pages brings. */
export function tokenOf(mail: ReadMail): string {
  const token = mail.linked.get('token_hash')
  if (!token) throw new Error(`no token in ${mail.link.href}`)
  return token
}

/** Follows a link of the protocol, at the address where the server of the tests listens. */
export function open(server: AuthServer, link: string | URL): Promise<Response> {
  const { pathname, search } = new URL(link)
  return fetch(server.origin + pathname + search, { redirect: 'manual' })
}

/** Where the page or the click of a link leads on to. */
export function ledTo(reply: Response): { url: URL; fragment: URLSearchParams } {
  expect(reply.status).toBe(303)
  const url = new URL(reply.headers.get('location') ?? 'about:blank')
  return { url, fragment: new URLSearchParams(url.hash.slice(1)) }
}

/** Opens the page of a link, and gives the form on it. */
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

/** Presses the button of a form. */
export function press(form: { action: URL; fields: URLSearchParams }): Promise<Response> {
  return fetch(form.action, { method: 'POST', body: form.fields, redirect: 'manual' })
}

/** Opens the page of a link and presses its button. */
export async function click(server: AuthServer, link: string | URL) {
  return ledTo(await press(await formOf(server, link)))
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
