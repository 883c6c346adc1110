import { randomBytes } from 'node:crypto'
import { paths } from '@bancone/contract/pages'
import { whatsAppPaths } from '@bancone/contract/whatsapp'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../app-error.ts'
import type { ConnectionEventsStore } from './connection-events.store.ts'
import { deletionPage } from './deletion-page.ts'
import { signedUser } from './webhook/signatures.ts'

type Dependencies = {
  appSecret: string
  publicUrl: string
  connections: Pick<ConnectionEventsStore, 'endOfUser' | 'deleteOfUser'>
}

/** What Meta calls when a person removes the application, or asks for the deletion of their data. */
export function callbackRoutes(app: FastifyInstance, dependencies: Dependencies) {
  const { appSecret, publicUrl, connections } = dependencies

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
      await connections.endOfUser(userOf(request.body))
      return {}
    })

    scope.post(whatsAppPaths.dataDeletion, async (request) => {
      const user = userOf(request.body)
      const code = randomBytes(16).toString('hex')
      await connections.deleteOfUser(user, code)
      const url = `${publicUrl}${whatsAppPaths.deletionStatus}/${code}`
      return { url, confirmation_code: code }
    })
  })
}

/** The page about a request of data deletion. It stays where Meta is not configured any more. */
export function deletionRoutes(
  app: FastifyInstance,
  connections: Pick<ConnectionEventsStore, 'deletion'>,
) {
  app.get<{ Params: { code: string } }>(
    `${whatsAppPaths.deletionStatus}/:code`,
    async (request, reply) => {
      const { code } = request.params
      const found = /^[0-9a-f]{32}$/.test(code) ? await connections.deletion(code) : undefined
      return reply
        .code(found ? 200 : 404)
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(deletionPage(found, paths.privacy))
    },
  )
}
