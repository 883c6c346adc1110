import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { fileSize } from './content-types.ts'
import { newBucketName } from './names.ts'
import type { Storage } from './storage.service.ts'
import { StorageError } from './storage-error.ts'
import { bucketOf, parse, principalOf } from './storage-protocol.ts'

/** Older clients cannot request a second page. */
const MAX_BUCKETS = 1000

/** The words of the reference server, which reads a missing token as an empty one. */
const NO_TOKEN = 'Invalid Compact JWS'

const Size = z.union([z.number(), z.string()]).transform((value, context) => {
  const bytes = fileSize(value)
  if (bytes !== undefined) return bytes
  context.addIssue({ code: 'custom', message: 'must be a number of bytes, or like 20MB' })
  return z.NEVER
})

/** `image/png`, `image/*`, or any type. */
const MimeType = z
  .string()
  .regex(/^(\*|\*\/\*|[a-z0-9][\w.+-]*\/(\*|[a-z0-9][\w.+-]*)(\s*;\s*[\w.-]+=[\w."-]+)?)$/i)

const rules = {
  public: z.boolean().nullish(),
  file_size_limit: Size.nullish(),
  allowed_mime_types: z.array(z.string()).max(100).nullish(),
}
const NewBucket = z.object({
  id: z.string().optional(),
  name: z.string(),
  type: z.literal('STANDARD').nullish(),
  ...rules,
})
const Change = z.object(rules)

const Page = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_BUCKETS).default(MAX_BUCKETS),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
  search: z.string().max(100).default(''),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
})

export function bucketRoutes(app: FastifyInstance, storage: Storage) {
  const { buckets } = storage

  app.get('/bucket', async (request) => {
    const principal = await principalOf(request, storage.authorize)
    // In the protocol the list alone requires a token; other calls without one see what is public.
    if (!principal) throw new StorageError('AccessDenied', { message: NO_TOKEN })
    const { sortColumn: column, sortOrder: order, ...page } = parse(Page, request.query)
    const found = await buckets.list(principal, { ...page, column, order })
    return found.map((bucket) => ({ ...bucket, type: 'STANDARD' }))
  })

  app.get('/bucket/:bucket', async (request) =>
    buckets.get(await principalOf(request, storage.authorize), bucketOf(request)),
  )

  app.post('/bucket', async (request) => {
    const principal = await principalOf(request, storage.authorize)
    const wanted = parse(NewBucket, request.body)
    const name = newBucketName(wanted.id ?? wanted.name)
    await buckets.create(principal, name, {
      public: wanted.public ?? false,
      file_size_limit: wanted.file_size_limit ?? null,
      allowed_mime_types: typesOf(wanted.allowed_mime_types) ?? null,
    })
    return { name }
  })

  app.put('/bucket/:bucket', async (request) => {
    const principal = await principalOf(request, storage.authorize)
    const wanted = parse(Change, request.body)
    const { file_size_limit: limit, allowed_mime_types: types } = wanted
    // An absent value stays; null removes it.
    await buckets.update(principal, bucketOf(request), {
      ...(typeof wanted.public === 'boolean' && { public: wanted.public }),
      ...(limit !== undefined && { file_size_limit: limit }),
      ...(types !== undefined && { allowed_mime_types: typesOf(types) ?? null }),
    })
    return { message: 'Successfully updated' }
  })

  app.post('/bucket/:bucket/empty', async (request) => {
    await buckets.empty(await principalOf(request, storage.authorize), bucketOf(request))
    return { message: 'Empty bucket has been queued. Completion may take up to an hour.' }
  })

  app.delete('/bucket/:bucket', async (request) => {
    await buckets.delete(await principalOf(request, storage.authorize), bucketOf(request))
    return { message: 'Successfully deleted' }
  })
}

/** @throws StorageError `InvalidMimeType` */
function typesOf(types: string[] | null | undefined): string[] | null | undefined {
  const wrong = types?.find((type) => !MimeType.safeParse(type).success)
  if (wrong === undefined) return types
  throw new StorageError('InvalidMimeType', { message: `mime type ${wrong} is not supported` })
}
