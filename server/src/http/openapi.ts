import { endpoints } from '@bancone/contract/api'
import type { Endpoint } from '@bancone/contract/endpoint'
import { ErrorBody, errorStatus } from '@bancone/contract/errors'
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
  const guarded = endpoint.access !== 'public'
  return {
    summary: endpoint.summary,
    security: guarded ? [{ bearer: [] }] : [],
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
      ...errors(endpoint, guarded),
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

function errors(endpoint: Endpoint, guarded: boolean) {
  const always = ['request.invalid', 'service.unavailable'] as const
  const guards = ['session.missing', 'access.denied', 'pharmacy.inactive'] as const
  const codes = [...always, ...(guarded ? guards : []), ...endpoint.errors]
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [status, { description: named.join(', '), content }]),
  )
}
