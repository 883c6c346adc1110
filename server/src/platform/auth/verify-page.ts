import { escapeHtml } from '../html.ts'
import type { VerifyType } from './one-time-tokens.ts'

const words: Record<VerifyType, { title: string; text: string; button: string }> = {
  signup: {
    title: 'Conferma il tuo indirizzo',
    text: 'Premi il pulsante per confermare che questo indirizzo email è tuo.',
    button: 'Conferma',
  },
  invite: {
    title: 'Sei stato invitato',
    text: "Premi il pulsante per accettare l'invito.",
    button: "Accetta l'invito",
  },
  magiclink: { title: 'Accedi', text: 'Premi il pulsante per accedere.', button: 'Accedi' },
  email: { title: 'Accedi', text: 'Premi il pulsante per accedere.', button: 'Accedi' },
  recovery: {
    title: 'Scegli una nuova password',
    text: 'Premi il pulsante per continuare.',
    button: 'Continua',
  },
  email_change: {
    title: 'Conferma il nuovo indirizzo',
    text: "Premi il pulsante per confermare il cambio dell'indirizzo email.",
    button: 'Conferma',
  },
}

/** The confirmation page of a link. It has no script, so that it works in the browsers of mail programs. */
export function confirmPage(link: { token: string; type: VerifyType; redirectTo: string }): string {
  const { title, text, button } = words[link.type]
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Bancone</title>
<style>
:root { color-scheme: light dark; --ground: #faf9f7; --card: #fff; --ink: #1c2420; --muted: #5b665f; --line: #e4e2dd; --accent: #0a7d3e; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --ground: #121513; --card: #191d1b; --ink: #ecefed; --muted: #a3aea8; --line: #2c332f; --accent: #4cc27f; --on: #08130c } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 400px; padding: 32px 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--card) }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; font-weight: 500 }
p { margin: 0 0 24px; color: var(--muted) }
button { width: 100%; min-height: 48px; border: 0; border-radius: 10px; background: var(--accent); color: var(--on); font: inherit; font-weight: 500; cursor: pointer }
button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="/auth/v1/verify/click">
<input type="hidden" name="token" value="${escapeHtml(link.token)}">
<input type="hidden" name="type" value="${escapeHtml(link.type)}">
<input type="hidden" name="redirect_to" value="${escapeHtml(link.redirectTo)}">
<button type="submit">${button}</button>
</form>
</main>
</body>
</html>
`
}
