import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { matchesEtag } from '../../../http/entity-tags.ts'
import type { ImageLinks } from './order-image-links.ts'
import type { OrderImages } from './order-images.service.ts'

/** Private caching only, and no script runs in it. */
const headers = {
  'Cache-Control': 'private, max-age=3600',
  // A file name that does not identify the customer.
  'Content-Disposition': 'inline; filename="ordine.webp"',
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

/** Serves stored pictures by signed URLs, without a session. */
export function orderImageRoutes(app: FastifyInstance, links: ImageLinks, images: OrderImages) {
  app.get<{ Params: { token: string } }>('/api/order-images/:token', async (request, reply) => {
    const orderId = links.read(request.params.token)
    const image = orderId && (await images.find(orderId))
    if (!image) return notFound(reply)
    const tag = `"${image.key.slice(image.key.lastIndexOf('/') + 1)}"`
    reply.headers(headers).header('ETag', tag)
    if (matchesEtag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    reply.type(image.contentType).header('Content-Length', image.bytes)
    // Fastify does not send the body of a HEAD response, but overwrites Content-Length unless the body is a stream.
    const isHead = request.method === 'HEAD'
    const stream = isHead ? Readable.from([]) : await images.open(image)
    return stream ? reply.send(stream) : notFound(reply)
  })
}

function notFound(reply: FastifyReply) {
  for (const name of [...Object.keys(headers), 'ETag', 'Content-Length']) reply.removeHeader(name)
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
