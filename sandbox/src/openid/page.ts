import type { Claims } from './accounts.ts'

type Choice = {
  name: string
  action: string
  client: string
  accounts: readonly Claims[]
  hint: unknown
}

/** The page to choose an account on, or to refuse. There are no passwords. */
export function choicePage({ name, action, client, accounts, hint }: Choice): string {
  const hinted = accounts.toSorted((a, b) => Number(b.email === hint) - Number(a.email === hint))
  const buttons = hinted.map(
    (account) =>
      `<button name="account" value="${escaped(account.sub)}">${escaped(account.email)}</button>`,
  )
  return page(
    `Accedi con ${name}`,
    `<p>Con quale account vuoi accedere a ${escaped(client)}?</p>
<form method="post" action="${escaped(action)}">${buttons.join('')}
<button name="cancel" value="1" class="plain">Annulla</button></form>
<p class="note">È un servizio di prova: non chiede password.</p>`,
  )
}

export function problemPage(name: string, problem: string): string {
  return page(name, `<p>La richiesta non è valida: ${escaped(problem)}.</p>`)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="it"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 24rem; margin: 10vh auto; padding: 0 1rem }
button { display: block; width: 100%; min-height: 2.75rem; margin: .5rem 0; font: inherit; overflow-wrap: anywhere }
.plain { background: none; border: 0; text-decoration: underline }
.note { opacity: .7; font-size: .875rem }
</style></head><body><main><h1>${escaped(title)}</h1>
${content}
</main></body></html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
