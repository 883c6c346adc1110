import { whatsAppPaths } from '@bancone/contract/whatsapp'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../app-error.ts'
import { isSameSecret, isSignature, isSigned } from './signatures.ts'

/** The largest webhook of Meta is 3 MB. */
const MAX_BYTES = 3 * 1024 * 1024 + 64 * 1024

const Verification = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string(),
  // It is sent back, so it must be nothing that a browser would interpret.
  'hub.challenge': z.string().regex(/^[\w-]{1,200}$/),
})

type Dependencies = {
  appSecret: string
  verifyToken: string
  receive(body: Buffer): Promise<void>
}

/** The address to which Meta sends events. Nothing is parsed before its signature has been verified. */
export function webhookRoutes(app: FastifyInstance, dependencies: Dependencies) {
  const { appSecret, verifyToken, receive } = dependencies
  return app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )

    scope.get(whatsAppPaths.webhook, async (request, reply) => {
      const { data } = Verification.safeParse(request.query)
      if (!data || !isSameSecret(data['hub.verify_token'], verifyToken))
        throw new AppError('access.denied')
      return reply.type('text/plain; charset=utf-8').send(data['hub.challenge'])
    })

    scope.post(
      whatsAppPaths.webhook,
      {
        bodyLimit: MAX_BYTES,
        // Before the body is read, so that strangers cannot send three megabytes.
        onRequest: async ({ headers }) => {
          if (!isSignature(headers['x-hub-signature-256']))
            throw new AppError('whatsapp.bad_signature')
        },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        if (!isSigned(appSecret, body, request.headers['x-hub-signature-256']))
          throw new AppError('whatsapp.bad_signature')
        await receive(body)
        return reply.send('')
      },
    )
  })
}
