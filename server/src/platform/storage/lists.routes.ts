import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Storage } from './storage.service.ts'
import { bucketOf, parse, principalOf } from './storage-protocol.ts'

/** The maximum number of entries of a page. */
const MAX_LISTED = 1000

const Order = z.enum(['asc', 'desc'])
const Prefix = z.string().max(1024).nullish()

const List = z.object({
  prefix: Prefix,
  limit: z.number().int().min(1).max(MAX_LISTED).default(100),
  offset: z.number().int().min(0).max(1e9).default(0),
  search: z.string().max(1024).nullish(),
  sortBy: z
    .object({
      column: z.enum(['name', 'created_at', 'updated_at', 'last_accessed_at']).default('name'),
      order: Order.default('asc'),
    })
    .prefault({}),
})

const ListV2 = z.object({
  prefix: Prefix,
  limit: z.number().int().min(1).max(MAX_LISTED).default(MAX_LISTED),
  cursor: z.string().max(4096).nullish(),
  with_delimiter: z.boolean().nullish(),
  sortBy: z
    .object({
      column: z.enum(['name', 'created_at', 'updated_at']).default('name'),
      order: Order.default('asc'),
    })
    .prefault({}),
})

export function listRoutes(app: FastifyInstance, { authorize, lists }: Storage) {
  app.post('/object/list/:bucket', async (request) => {
    const principal = await principalOf(request, authorize)
    const { prefix, search, sortBy, limit, offset } = parse(List, request.body)
    const query = { prefix: prefix ?? '', search: search ?? '', limit, offset, ...sortBy }
    return lists.list(principal, bucketOf(request), query)
  })

  app.post('/object/list-v2/:bucket', async (request) => {
    const principal = await principalOf(request, authorize)
    const wanted = parse(ListV2, request.body ?? {})
    return lists.listV2(principal, bucketOf(request), {
      prefix: (wanted.prefix ?? '').replace(/^\/+/, ''),
      limit: wanted.limit,
      cursor: wanted.cursor ?? undefined,
      delimiter: wanted.with_delimiter ?? false,
      ...wanted.sortBy,
    })
  })
}
