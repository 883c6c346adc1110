import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendRendition } from './render.routes.ts'
import { TransformOptions } from './renditions.ts'
import { type SendOptions, sendFile } from './send-file.ts'
import { MAX_SIGNED_URL_SECONDS, type ResolvedSignedUrl } from './signed-urls.ts'
import type { Storage } from './storage.service.ts'
import { StorageError } from './storage-error.ts'
import { bucketOf, locationOf, longBody, parse, principalOf } from './storage-protocol.ts'
import { queueKeyOfSignedUrl } from './uploads.ts'

/** The maximum number of paths in one call, as in the reference server. */
const MAX_PATHS = 1000

const Seconds = z.number().int().min(1).max(MAX_SIGNED_URL_SECONDS)
const SignOne = z.object({ expiresIn: Seconds, transform: TransformOptions.nullish() })
const SignMany = z.object({
  expiresIn: Seconds,
  paths: z.array(z.string().max(2_000)).min(1).max(MAX_PATHS),
})
const Token = z.object({ token: z.string().max(4_000) })

const tokenOf = ({ query }: FastifyRequest) => parse(Token, query).token

/** Creation of signed URLs, and downloads with them. */
export function signedRoutes(
  app: FastifyInstance,
  { authorize, signedUrls, files, renderer }: Storage,
) {
  app.post('/object/sign/:bucket/*', async (request) => {
    const principal = await principalOf(request, authorize)
    const location = locationOf(request)
    const { expiresIn, ...body } = parse(SignOne, request.body)
    const transform = body.transform ?? undefined
    return {
      signedURL: await signedUrls.sign(principal, location, { seconds: expiresIn, transform }),
    }
  })

  app.post('/object/sign/:bucket', longBody(authorize), async (request) => {
    const principal = await principalOf(request, authorize)
    const bucket = bucketOf(request)
    const { expiresIn, paths } = parse(SignMany, request.body)
    return signedUrls.signMany(principal, { bucket, names: paths }, expiresIn)
  })

  app.post('/object/upload/sign/:bucket/*', async (request) => {
    const principal = await principalOf(request, authorize)
    const upsert = request.headers['x-upsert'] === 'true'
    return signedUrls.signUpload(principal, locationOf(request), upsert)
  })

  app.get('/object/sign/:bucket/*', async (request, reply) => {
    const opened = await signedUrls.resolve(tokenOf(request), locationOf(request))
    if (!(await sendFile(request, reply, ...sentBy(opened, files)))) {
      throw new StorageError('NoSuchKey')
    }
    return reply
  })

  app.get('/render/image/sign/:bucket/*', async (request, reply) => {
    const opened = await signedUrls.resolveRendition(tokenOf(request), locationOf(request))
    const [object, , options] = sentBy(opened, files)
    return sendRendition(request, reply, renderer, { object, transform: opened.transform, options })
  })
}

/** Registered apart from the other routes: its body is the file, which is read only after the checks. */
export function signedUploadRoute(
  app: FastifyInstance,
  { objects, signedUrls }: Storage,
  options: { config: { bodyTimeoutMs: number } },
) {
  app.put('/object/upload/sign/:bucket/*', options, async (request) => {
    const location = locationOf(request)
    const { principal, upsert } = await signedUrls.resolveUpload(tokenOf(request), location)
    const mode = upsert ? 'upsert' : 'insert'
    await objects.upload(principal, location, request.raw, {
      mode,
      queueKey: queueKeyOfSignedUrl(location),
    })
    return { Key: `${location.bucket}/${location.name}` }
  })
}

/** Browsers cache the file no longer than the URL lives. Pages of any origin may embed it. */
function sentBy({ object, expiresAt, secondsLeft }: ResolvedSignedUrl, files: Storage['files']) {
  const [, wished] = /\bmax-age=(\d{1,10})\b/i.exec(object.cache_control) ?? []
  const isLonger = wished !== undefined && Number(wished) > secondsLeft
  const cache_control = isLonger ? `max-age=${secondsLeft}` : object.cache_control
  const headers = {
    Expires: expiresAt.toUTCString(),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  const options: SendOptions = { isPublic: false, headers }
  return [{ ...object, cache_control }, files, options] as const
}
