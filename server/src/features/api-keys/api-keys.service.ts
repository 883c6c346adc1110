import { createHash, randomBytes } from 'node:crypto'
import { API_KEY_PREFIX, type ApiKey } from '@bancone/contract/api-keys'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
import type { ApiKeysStore } from './api-keys.store.ts'

/** 32 random bytes cannot be guessed, so a plain hash is enough. */
const KEY_BYTES = 32

/** Characters of a key that are shown later, to tell keys apart. */
const START_LENGTH = 10

type Dependencies = {
  store: ApiKeysStore
  /** Called in this process; the other processes are notified by the database. */
  onRevoked(keyId: string): void
}

type Caller = { userId: string; pharmacy: { id: string } }

export type ApiKeysService = ReturnType<typeof createApiKeys>

/** API keys of a pharmacy, used to create orders. A key is stored and logged only as a hash. */
export function createApiKeys({ store, onRevoked }: Dependencies) {
  return {
    list({ pharmacy }: Caller): Promise<ApiKey[]> {
      return store.list(pharmacy.id)
    },

    /** The key itself is returned only here. */
    async create({ userId, pharmacy }: Caller, name: string, origin: Origin) {
      const { key, start, hash } = newKey()
      const actor = { actorId: userId, ...origin }
      const made = await store.insert(pharmacy.id, { name, start, hash }, actor)
      return { ...made, key }
    },

    async revoke({ userId, pharmacy }: Caller, keyId: string, origin: Origin): Promise<void> {
      const actor = { actorId: userId, ...origin }
      await store.revoke(pharmacy.id, keyId, actor)
      onRevoked(keyId)
    },

    /** Undefined when the key does not exist or was revoked. */
    holder(key: string): Promise<{ keyId: string; pharmacyId: string } | undefined> {
      return store.find(keyHash(key))
    },
  }
}

function newKey() {
  const key = API_KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
  return { key, start: key.slice(0, START_LENGTH), hash: keyHash(key) }
}

/** The hash that is stored for a key. */
function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
