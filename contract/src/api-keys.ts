import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The most keys of a pharmacy that have not been revoked, and the longest name of one. */
export const MOST_API_KEYS = 10
export const KEY_NAME_LENGTH = 60

/** What every key begins with, so that one that gets about is recognised. */
export const API_KEY_PREFIX = 'bnc_'

/** A key with which a program makes orders for the pharmacy. `start` is what it begins with. */
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  start: z.string(),
  createdAt: z.string(),
  /** To the minute; null if it never was. */
  lastUsedAt: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/api-keys',
  summary: "The pharmacy's API keys, newest first",
  access: 'pharmacy',
  role: 'owner',
  response: z.object({ keys: z.array(ApiKey) }),
  errors: [],
})

/** The whole key is told here and never again: what is kept of it is a hash. */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/api-keys',
  summary: 'Makes an API key',
  access: 'pharmacy',
  role: 'owner',
  body: z.strictObject({ name: z.string().trim().min(1).max(KEY_NAME_LENGTH) }),
  response: ApiKey.extend({ key: z.string() }),
  errors: ['api_keys.too_many'],
})

/** From then on nothing can be done with it. */
export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/api-keys/:keyId',
  summary: 'Revokes an API key',
  access: 'pharmacy',
  role: 'owner',
  params: z.object({ keyId: z.uuid() }),
  response: z.object({}),
  errors: ['api_keys.not_found'],
})
