import type { Access } from '@bancone/contract/access'
import { endpoints } from '@bancone/contract/api'
import type { Endpoint } from '@bancone/contract/endpoint'
import { ErrorBody, type ErrorCode, errorStatus } from '@bancone/contract/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/** `/api/openapi.json`: the contract, as a document for people and programs elsewhere. */
export function openApiRoute(app: FastifyInstance) {
  const document = openApiDocument(endpoints)
  app.get('/api/openapi.json', () => document)
}

export function openApiDocument(all: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of all) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}') + variantOf(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bancone', version: '1' },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: z.toJSONSchema(ErrorBody, { io: 'output' }) },
    },
    paths,
  }
}

/** OpenAPI knows one operation a method and path; a query written out makes it another path. */
function variantOf({ onlyWith }: Endpoint): string {
  return onlyWith ? `?${new URLSearchParams(onlyWith).toString()}` : ''
}

function operation(endpoint: Endpoint) {
  return {
    summary: endpoint.summary,
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.toJSONSchema(endpoint.body, { io: 'input' }) } },
      },
    }),
    responses: {
      200: {
        description: 'Done',
        content: {
          'application/json': { schema: z.toJSONSchema(endpoint.response, { io: 'output' }) },
        },
      },
      ...errors(endpoint),
    },
  }
}

const ObjectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query') {
  if (!schema) return []
  const { properties, required } = ObjectSchema.parse(z.toJSONSchema(schema, { io: 'input' }))
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

const ofSession = ['session.missing', 'session.unknown_user', 'access.denied'] as const
const ofPharmacy = [...ofSession, 'pharmacy.not_found', 'pharmacy.inactive'] as const

/** What a call answers whoever may not make it, by its access. */
const guards: Record<Access, readonly ErrorCode[]> = {
  public: [],
  pharmacy: ofPharmacy,
  admin: ofSession,
  'pharmacy-or-admin': ofPharmacy,
}

function errors({ access, errors: own }: Endpoint) {
  const always: readonly ErrorCode[] = ['request.invalid', 'service.unavailable']
  const codes = new Set([...always, ...guards[access], ...own])
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [status, { description: named.join(', '), content }]),
  )
}
