import { dayOf, formatShortDay } from '@bancone/contract/dates'

type Deletion = { requestedAt: string; connections: number }

/** The page that Meta sends a person to after a request of data deletion. Names no person and no pharmacy. */
export function deletionPage(deletion: Deletion | undefined, privacyPath: string): string {
  const [title, text] = textsOf(deletion)
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Bancone</title>
<style>
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif }
main { max-width: 34rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 500 }
a { display: inline-block; padding: .6rem 0; color: inherit }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<a href="${privacyPath}">Privacy Policy</a>
</main>
</body>
</html>
`
}

function textsOf(deletion: Deletion | undefined): [string, string] {
  if (!deletion)
    return ['Richiesta non trovata', 'Controlla il codice che ti ha mostrato Facebook.']
  const day = formatShortDay(dayOf(Date.parse(deletion.requestedAt)))
  return deletion.connections === 0
    ? [
        'Nessun dato da eliminare',
        `La tua richiesta è del ${day}. Bancone non aveva dati ricevuti dal tuo account Facebook.`,
      ]
    : [
        'Dati eliminati',
        `La tua richiesta è del ${day}. I dati ricevuti dal tuo account Facebook sono stati eliminati, e il numero WhatsApp non è più collegato a Bancone.`,
      ]
}
