/** A headless browser: follows redirects and keeps cookies, at the provider only. */
export function createVisitor(origin: string) {
  const cookies = new Map<string, string>()

  async function ask(url: string, body?: URLSearchParams): Promise<Response> {
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }

  /** @returns the final page, or the first redirect to another site */
  async function follow(url: string, body?: URLSearchParams): Promise<URL | { html: string }> {
    const reply = await ask(url, body)
    const location = reply.headers.get('location')
    if (location === null) return { html: await reply.text() }
    const next = new URL(location, url)
    return next.origin === origin ? follow(next.href) : next
  }

  return { follow }
}

/**
 * Acts as the user at the provider: chooses the account, or refuses (null).
 *
 * @param address the authorization URL
 * @returns the redirect back to the client
 */
export async function visit(address: string | URL, email: string | null): Promise<URL> {
  const { origin } = new URL(address)
  const { follow } = createVisitor(origin)
  const shown = await follow(String(address))
  if (shown instanceof URL) return shown
  const [, action] = /<form method="post" action="([^"]*)"/.exec(shown.html) ?? []
  if (action === undefined) throw new Error(`no page to choose on: ${textOf(shown.html)}`)
  const buttons = shown.html.matchAll(/name="account" value="([^"]*)">([^<]*)</g)
  const choices = new Map([...buttons].map(([, sub = '', shownEmail = '']) => [shownEmail, sub]))
  const chosen = email === null ? undefined : choices.get(escaped(email))
  if (email !== null && chosen === undefined) throw new Error(`${email} has no account there`)
  const said = chosen === undefined ? { cancel: '1' } : { account: unescaped(chosen) }
  const back = await follow(new URL(action, origin).href, new URLSearchParams(said))
  if (back instanceof URL) return back
  throw new Error(`not led back: ${textOf(back.html)}`)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

function textOf(html: string): string {
  return html.replace(/<style>.*<\/style>/s, '').replace(/<[^>]+>|\s+/g, ' ')
}
