import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The most active keys of a pharmacy, and the longest name of a key in characters. */
export const MAX_API_KEYS = 10
export const KEY_NAME_LENGTH = 60

/** The prefix of every key, which makes a leaked key recognisable. */
export const API_KEY_PREFIX = 'bnc_'

/** A key with which a program creates orders for the pharmacy. `start` holds the first characters of the key. */
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  start: z.string(),
  createdAt: z.string(),
  /** Accurate to the minute; null if the key was never used. */
  lastUsedAt: z.nullable(z.string()),
})
export type ApiKey = z.infer<typeof ApiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/api-keys',
  summary: "List the pharmacy's API keys, newest first",
  access: 'pharmacy',
  role: 'owner',
  response: z.object({ keys: z.array(ApiKey) }),
  errors: [],
})

/** Only this response contains the whole key: the database stores a hash of it. */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/api-keys',
  summary: 'Create an API key',
  access: 'pharmacy',
  role: 'owner',
  audit: 'api_key_made',
  body: z.strictObject({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(KEY_NAME_LENGTH)),
  }),
  response: z.extend(ApiKey, { key: z.string() }),
  errors: ['api_keys.too_many'],
})

/** The key is refused from then on. */
export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/api-keys/:keyId',
  summary: 'Revoke an API key',
  access: 'pharmacy',
  role: 'owner',
  audit: 'api_key_revoked',
  params: z.object({ keyId: z.uuid() }),
  response: z.object({}),
  errors: ['api_keys.not_found'],
})
