import type { Endpoint } from '@bancone/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { roleNames, roles } from '../../test/access-roles.ts'
import { guardCodes, outcome } from '../../test/access-rules.ts'
import { endpoints } from '../../test/endpoints.ts'
import { openApiDocument } from './openapi.ts'

const Operation = z.looseObject({
  tags: z.array(z.string()),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.looseObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      schema: z.looseObject({}),
    }),
  ),
  responses: z.record(z.string().regex(/^\d{3}$/), z.looseObject({ description: z.string() })),
})
type Operation = z.infer<typeof Operation>

const Document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  components: z.object({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.literal('http') })),
    schemas: z.record(z.string(), z.looseObject({})),
  }),
  paths: z.record(
    z.string().startsWith('/api/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), Operation),
  ),
})

// As serialised in the response.
const text = JSON.stringify(openApiDocument(endpoints))
const document = Document.parse(JSON.parse(text))

const named = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

function operationOf({ method, path, requiredQuery }: Endpoint): Operation {
  const query = requiredQuery ? `?${new URLSearchParams(requiredQuery).toString()}` : ''
  const operations = document.paths[path.replaceAll(/:(\w+)/g, '{$1}') + query]
  return Operation.parse(
    operations?.[z.enum(['get', 'post', 'put', 'patch', 'delete']).parse(method.toLowerCase())],
  )
}

/** The documented error codes of an endpoint, except those of every endpoint. */
function codesOf({ responses }: Operation): string[] {
  const always = ['request.invalid', 'service.unavailable']
  return Object.values(responses)
    .flatMap(({ description }) => description.split(', '))
    .filter((code) => code.includes('.') && !always.includes(code))
}

describe('the document', () => {
  it('has every call, and each of them once', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
    expect(operations).toHaveLength(endpoints.length)
  })

  it('leads nowhere but to what is there', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, at = '']) => at)
    expect(references.length).toBeGreaterThan(0)
    for (const at of new Set(references)) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(at)?.[1] ?? at
      expect(document.components.schemas).toHaveProperty(name)
    }
  })

  it.each(named)('%s names its parameters, its tag and its keys', (_name, endpoint) => {
    const { parameters, tags, security, responses } = operationOf(endpoint)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const wanted = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(inPath.map(({ name }) => name)).toEqual(wanted)
    expect(inPath.every(({ required }) => required)).toBe(true)
    const places = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(places).size).toBe(places.length)
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(tags))
    const schemes = security.flatMap((one) => Object.keys(one))
    for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme)
    expect(schemes.length > 0).toBe(endpoint.access !== 'public')
    expect(responses).toHaveProperty(String(endpoint.status ?? 200))
  })

  it.each(named)(
    '%s lists the codes with which its access rule refuses callers, and no others',
    (_name, endpoint) => {
      const refusals = roleNames
        .map((role) => outcome(endpoint, roles[role]))
        .filter((code) => code !== 'let in')
      const said = codesOf(operationOf(endpoint))
      expect(said).toEqual(expect.arrayContaining([...new Set(refusals)]))
      // And no impossible codes: an error of the endpoint itself may have the same name.
      const guards: readonly string[] = guardCodes.filter((code) => !endpoint.errors.includes(code))
      const needless = said.filter(
        (code) => guards.includes(code) && !new Set<string>(refusals).has(code),
      )
      expect(needless).toEqual([])
    },
  )

  it('says of each call whom it is for', () => {
    const saidOf = (url: string) =>
      endpoints
        .filter(({ path }) => path === url)
        .map((endpoint) => operationOf(endpoint).description)[0]
    expect(saidOf('/api/colleagues')).toBe('For owners of the pharmacy.')
    expect(saidOf('/api/account/sessions')).toBe('For signed-in users.')
    expect(saidOf('/api/offers')).toBe('For users of the pharmacy, where it has `offers`.')
    expect(saidOf('/api/administrator')).toBe('For administrators.')
    expect(saidOf('/api/orders')).toMatch(/\n\nFor clients with an API key of the pharmacy/)
    expect(saidOf('/api/sign-in-methods')).toBe('For anyone.')
  })
})
