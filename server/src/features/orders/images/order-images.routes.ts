import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { matchesEtag } from '../../../platform/browser-call.ts'
import type { ImageLinks } from './order-image-links.ts'
import { fileName } from './order-images.rules.ts'
import type { OrderImages } from './order-images.service.ts'

/** Private caching only, and no script runs in it. */
const headers = {
  'Cache-Control': 'private, max-age=3600',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}

const NOT_FOUND = `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Immagine non disponibile – Bancone</title>
<style>
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 16px; box-sizing: border-box; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 400px }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; font-weight: 500 }
</style>
</head>
<body>
<main>
<h1>Immagine non disponibile</h1>
<p>Il collegamento è scaduto o l’immagine non c’è più. Torna agli ordini e aprila di nuovo.</p>
</main>
</body>
</html>
`

type Params = { token: string; place?: string }

/**
 * Serves stored attachments by signed URLs, without a session, and leads to the order source for those that are not kept.
 * A file that is kept as it is may be anything: it is downloaded, and not shown here.
 */
export function orderImageRoutes(app: FastifyInstance, links: ImageLinks, images: OrderImages) {
  app.get<{ Params: Params }>('/api/order-images/:token/:place?', async (request, reply) => {
    const { token, place: text = '1' } = request.params
    const place = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined
    const orderId = links.read(token)
    const found = orderId && place && (await images.find(orderId, place))
    if (!found) return notFound(reply)
    if ('url' in found) return reply.header('Cache-Control', 'no-store').redirect(found.url)
    const { file } = found
    const tag = `"${file.key.slice(file.key.lastIndexOf('/') + 1)}"`
    reply.headers(headers).header('ETag', tag)
    if (matchesEtag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    const disposition = file.isPicture ? 'inline' : 'attachment'
    const name = fileName(place, file.contentType)
    reply
      .type(file.contentType)
      .header('Content-Disposition', `${disposition}; filename="${name}"`)
      .header('Content-Length', file.bytes)
    // Fastify does not send the body of a HEAD response, but overwrites Content-Length unless the body is a stream.
    const isHead = request.method === 'HEAD'
    const stream = isHead ? Readable.from([]) : await images.open(file)
    return stream ? reply.send(stream) : notFound(reply)
  })
}

function notFound(reply: FastifyReply) {
  const names = [...Object.keys(headers), 'Content-Disposition', 'ETag', 'Content-Length']
  for (const name of names) reply.removeHeader(name)
  return reply
    .code(404)
    .headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(NOT_FOUND)
}
