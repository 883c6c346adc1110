import { randomBytes } from 'node:crypto'
import { dayOf, formatShortDay } from '@bancone/contract/dates'
import { paths } from '@bancone/contract/pages'
import { whatsAppPaths } from '@bancone/contract/whatsapp'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../base/app-error.ts'
import { signedUser } from './webhook/signatures.ts'
import type { WhatsAppContext } from './whatsapp.context.ts'

/** What Meta calls when a person removes the application, or asks for the deletion of their data. */
export function callbackRoutes(
  app: FastifyInstance,
  { connectionEvents, publicUrl }: Pick<WhatsAppContext, 'connectionEvents' | 'publicUrl'>,
  appSecret: string,
) {
  function userOf(body: unknown): string {
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '')
    const user = signedUser(appSecret, form.get('signed_request') ?? '')
    if (user === undefined) throw new AppError('whatsapp.bad_signature')
    return user
  }

  return app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )

    scope.post(whatsAppPaths.deauthorize, async (request) => {
      await connectionEvents.endOfUser(userOf(request.body))
      return {}
    })

    scope.post(whatsAppPaths.dataDeletion, async (request) => {
      const user = userOf(request.body)
      const code = randomBytes(16).toString('hex')
      await connectionEvents.deleteOfUser(user, code)
      const url = `${publicUrl}${whatsAppPaths.deletionStatus}/${code}`
      return { url, confirmation_code: code }
    })
  })
}

/** The page about a request of data deletion. It stays where Meta is not configured any more. */
export function deletionRoutes(
  app: FastifyInstance,
  connectionEvents: WhatsAppContext['connectionEvents'],
) {
  app.get<{ Params: { code: string } }>(
    `${whatsAppPaths.deletionStatus}/:code`,
    async (request, reply) => {
      const { code } = request.params
      const found = /^[0-9a-f]{32}$/.test(code) ? await connectionEvents.deletion(code) : undefined
      return reply
        .code(found ? 200 : 404)
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(deletionPage(found))
    },
  )
}

type Deletion = { requestedAt: string; connections: number }

/** The page that Meta sends a person to after a request of data deletion. Names no person and no pharmacy. */
function deletionPage(deletion: Deletion | undefined): string {
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
<a href="${paths.privacy}">Privacy Policy</a>
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
