import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const PATH = '/api/docs'

/** The page has no inline scripts: the Content-Security-Policy of all responses applies here too. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Bancone: API</title>
    <link rel="icon" href="${PATH}/favicon-32x32.png">
    <link rel="stylesheet" href="${PATH}/swagger-ui.css">
    <script src="${PATH}/swagger-ui-bundle.js" defer></script>
    <script src="${PATH}/start.js" defer></script>
  </head>
  <body>
    <main id="docs"></main>
    <noscript>This page needs JavaScript. The document itself is at /api/openapi.json.</noscript>
  </body>
</html>
`

const start = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  // It would send the address of this server elsewhere.
  validatorUrl: null,
})
`

const files = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** `/api/docs`: Swagger UI for the OpenAPI document. */
export function apiDocsRoutes(app: FastifyInstance) {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'))

  app.get(PATH, (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(page),
  )
  app.get(`${PATH}/start.js`, (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').type('text/javascript; charset=utf-8').send(start),
  )
  for (const [name, type] of Object.entries(files)) {
    app.get(`${PATH}/${name}`, (_request, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=86400')
        .type(type)
        .send(createReadStream(join(folder, name))),
    )
  }
}
