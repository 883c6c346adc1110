import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../../base/app-error.ts'
import { matchesEtag } from '../../../platform/entity-tags.ts'
import type { ShareImage, ShareImages } from './share-images.service.ts'

/** Static picture of the web application, for when none can be rendered. */
const PLAIN_SHARE_IMAGE = '/share/offers.jpg'

/** It is never executed, and any site may embed it. */
const headers = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const NAME = /^([\w-]{12})\.jpg$/

/** Public routes of the preview pictures, which chats fetch without a session. */
export function shareImageRoutes(app: FastifyInstance, images: Pick<ShareImages, 'find'>) {
  async function answer(
    { code, offerId, name }: { code: string; offerId: string | null; name: string },
    reply: FastifyReply,
  ) {
    const [, version] = NAME.exec(name) ?? []
    const found = version === undefined ? 'gone' : await images.find({ code, offerId, version })
    if (found === 'gone') throw new AppError('route.not_found')
    if (!found) return reply.header('Cache-Control', 'no-store').redirect(PLAIN_SHARE_IMAGE, 302)
    return send(reply, found)
  }

  app.get<{ Params: { code: string; name: string } }>(
    '/share/offers/:code/:name',
    ({ params }, reply) => answer({ ...params, offerId: null }, reply),
  )
  app.get<{ Params: { code: string; offerId: string; name: string } }>(
    '/share/offers/:code/:offerId/:name',
    ({ params }, reply) => answer(params, reply),
  )
}

function send(reply: FastifyReply, { bytes, tag, isLasting }: ShareImage) {
  const kept = isLasting ? 'public, max-age=31536000, immutable' : 'public, max-age=60'
  reply.headers(headers).header('Cache-Control', kept).header('ETag', tag)
  if (matchesEtag(reply.request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type('image/jpeg').send(bytes)
}
