import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Access } from '@bancone/contract/access'
import { API_KEY_PREFIX } from '@bancone/contract/api-keys'
import type { Endpoint } from '@bancone/contract/endpoint'
import { ErrorBody, type ErrorCode, errorStatus } from '@bancone/contract/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const FOR_PROGRAMS = 'For programs'
const FOR_PEOPLE = 'For the application'

const introduction = `External programs create orders with \`POST /api/orders\` and an API key of the pharmacy, \
which an owner creates in the application. All other calls require a session of the application.`

/** `/api/openapi.json`: the OpenAPI document of the endpoints that are served from now on. It is built on each request. */
export function openApiRoute(app: FastifyInstance) {
  const served = new Set<Endpoint>()
  app.addHook('onRoute', ({ config }) => {
    if (config?.endpoint) served.add(config.endpoint)
  })
  app.get('/api/openapi.json', () => openApiDocument(served))
}

export function openApiDocument(all: Iterable<Endpoint>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of all) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}') + variantOf(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bancone', version: '1', description: introduction },
    tags: [{ name: FOR_PROGRAMS }, { name: FOR_PEOPLE }],
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${API_KEY_PREFIX}…`,
          description: 'An API key of the pharmacy.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a session.',
        },
      },
      schemas: { Error: z.toJSONSchema(ErrorBody, { io: 'output' }) },
    },
    paths,
  }
}

/** OpenAPI allows one operation per method and path, so a required query becomes part of the path. */
function variantOf({ requiredQuery }: Endpoint): string {
  return requiredQuery ? `?${new URLSearchParams(requiredQuery).toString()}` : ''
}

function operation(endpoint: Endpoint) {
  const { example } = endpoint
  return {
    tags: [endpoint.access === 'pharmacy-or-key' ? FOR_PROGRAMS : FOR_PEOPLE],
    summary: endpoint.summary,
    description: [endpoint.description, audienceOf(endpoint)].filter(Boolean).join('\n\n'),
    security: security[endpoint.access],
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...parameters(endpoint.headers, 'header'),
    ],
    ...(endpoint.upload && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: z.toJSONSchema(endpoint.body, { io: 'input' }),
            ...(example !== undefined && { example }),
          },
        },
      },
    }),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Success',
        content: {
          'application/json': { schema: z.toJSONSchema(endpoint.response, { io: 'output' }) },
        },
      },
      ...errors(endpoint),
    },
  }
}

/** Descriptions of the access levels. */
const audiences: Record<Access, string> = {
  public: 'anyone',
  account: 'signed-in users',
  pharmacy: 'users of the pharmacy',
  'pharmacy-or-key': 'clients with an API key of the pharmacy, and its users',
  admin: 'administrators',
  'pharmacy-or-admin': 'users of the pharmacy, and administrators',
}

function audienceOf({ access, role, feature }: Endpoint): string {
  const those = role ? `${role}s of the pharmacy` : audiences[access]
  return `For ${those}${feature ? `, where it has \`${feature}\`` : ''}.`
}

const ObjectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})

function parameters(schema: z.core.$ZodType | undefined, where: 'path' | 'query' | 'header') {
  if (!schema) return []
  const { properties, required } = ObjectSchema.parse(z.toJSONSchema(schema, { io: 'input' }))
  return Object.entries(properties).map(([name, property]) => ({
    name: where === 'header' ? headerName(name) : name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

/** Capitalises a header name: `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** The accepted security schemes, as alternatives. */
const security: Record<Access, Record<string, string[]>[]> = {
  public: [],
  account: [{ bearer: [] }],
  pharmacy: [{ bearer: [] }],
  'pharmacy-or-key': [{ key: [] }, { bearer: [] }],
  admin: [{ bearer: [] }],
  'pharmacy-or-admin': [{ bearer: [] }],
}

const accountErrors = [
  'session.missing',
  'session.unknown_user',
  'session.second_factor_needed',
  'session.enrolment_needed',
] as const
const pharmacyOrAdminErrors = [...accountErrors, 'pharmacy.not_found', 'pharmacy.inactive'] as const
const pharmacyErrors = [...pharmacyOrAdminErrors, 'access.denied'] as const

const ownerErrors: readonly ErrorCode[] = ['access.owners_only']

/** The error codes of refused access, by access level. */
const accessErrors: Record<Access, readonly ErrorCode[]> = {
  public: [],
  account: accountErrors,
  pharmacy: pharmacyErrors,
  'pharmacy-or-key': pharmacyErrors,
  admin: [...accountErrors, 'access.denied'],
  'pharmacy-or-admin': pharmacyOrAdminErrors,
}

function errors({ access, role, errors: own }: Endpoint) {
  const always: readonly ErrorCode[] = ['request.invalid', 'service.unavailable']
  const codes = new Set([...always, ...accessErrors[access], ...(role ? ownerErrors : []), ...own])
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    byStatus.set(errorStatus(code), [...(byStatus.get(errorStatus(code)) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [status, { description: named.join(', '), content }]),
  )
}

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
