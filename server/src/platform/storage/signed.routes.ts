import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { KeptFiles } from '../../ports/file-store.ts'
import type { Authorize } from './access.ts'
import type { Drawer } from './drawer.ts'
import { Wish } from './drawings.ts'
import type { Objects } from './objects.service.ts'
import { bucketOf, holderOf, parse, placeOf } from './protocol.ts'
import { sendDrawing } from './render.routes.ts'
import { type Sending, sendFile } from './sending.ts'
import type { OpenedLink, SignedLinks } from './signed-links.ts'
import { LONGEST_LINK } from './signed-tokens.ts'
import { StorageError } from './storage-error.ts'
import { turnsOfLink } from './upload-turns.ts'

type Storage = {
  authorize: Authorize
  objects: Pick<Objects, 'upload'>
  links: SignedLinks
  files: Pick<KeptFiles, 'open'>
  drawer: Drawer
}

/** Paths of one call, as in the reference server. */
const MOST_PATHS = 1000

const Seconds = z.number().int().min(1).max(LONGEST_LINK)
const SignOne = z.object({ expiresIn: Seconds, transform: Wish.nullish() })
const SignMany = z.object({
  expiresIn: Seconds,
  paths: z.array(z.string().max(2_000)).min(1).max(MOST_PATHS),
})
const Token = z.object({ token: z.string().max(4_000) })

const tokenOf = ({ query }: FastifyRequest) => parse(Token, query).token

/** Making of links, and what they open. */
export function signedRoutes(app: FastifyInstance, { authorize, links, files, drawer }: Storage) {
  app.post('/object/sign/:bucket/*', async (request) => {
    const holder = await holderOf(request, authorize)
    const place = placeOf(request)
    const { expiresIn, transform } = parse(SignOne, request.body)
    const wish = transform ?? undefined
    return { signedURL: await links.sign(holder, place, { seconds: expiresIn, wish }) }
  })

  app.post('/object/sign/:bucket', async (request) => {
    const holder = await holderOf(request, authorize)
    const bucket = bucketOf(request)
    const { expiresIn, paths } = parse(SignMany, request.body)
    return links.signMany(holder, { bucket, names: paths }, expiresIn)
  })

  app.post('/object/upload/sign/:bucket/*', async (request) => {
    const holder = await holderOf(request, authorize)
    const upsert = request.headers['x-upsert'] === 'true'
    return links.signUpload(holder, placeOf(request), upsert)
  })

  app.get('/object/sign/:bucket/*', async (request, reply) => {
    const opened = await links.open(tokenOf(request), placeOf(request))
    if (!(await sendFile(request, reply, ...sentBy(opened, files)))) {
      throw new StorageError('NoSuchKey')
    }
    return reply
  })

  app.get('/render/image/sign/:bucket/*', async (request, reply) => {
    const opened = await links.openDrawing(tokenOf(request), placeOf(request))
    const [object, , sending] = sentBy(opened, files)
    return sendDrawing(request, reply, drawer, { object, wish: opened.wish, sending })
  })
}

/** Apart from the others: its body is the file, and is not read before it is known to be wanted. */
export function signedUploadRoute(
  app: FastifyInstance,
  { objects, links }: Storage,
  options: { config: { bodyTimeMs: number } },
) {
  app.put('/object/upload/sign/:bucket/*', options, async (request) => {
    const place = placeOf(request)
    const { holder, upsert } = await links.openUpload(tokenOf(request), place)
    const where = upsert ? 'any' : 'empty'
    await objects.upload(holder, place, request.raw, { where, whose: turnsOfLink(place) })
    return { Key: `${place.bucket}/${place.name}` }
  })
}

/** Kept by browsers no longer than the link lives; shown by whatever page has the link. */
function sentBy({ object, expiresAt, secondsLeft }: OpenedLink, files: Pick<KeptFiles, 'open'>) {
  const [, wished] = /\bmax-age=(\d{1,10})\b/i.exec(object.cache_control) ?? []
  const isLonger = wished !== undefined && Number(wished) > secondsLeft
  const cache_control = isLonger ? `max-age=${secondsLeft}` : object.cache_control
  const headers = {
    Expires: expiresAt.toUTCString(),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  const sending: Sending = { isPublic: false, headers }
  return [{ ...object, cache_control }, files, sending] as const
}
