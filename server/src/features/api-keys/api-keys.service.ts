import type { ApiKey } from '@bancone/contract/api-keys'
import { AppError } from '../../app-error.ts'
import type { ApiKeysStore } from './api-keys.store.ts'
import { keyHash, newKey } from './new-key.ts'

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
    async create({ userId, pharmacy }: Caller, name: string): Promise<ApiKey & { key: string }> {
      const { key, start, hash } = newKey()
      const made = await store.insert(pharmacy.id, { name, start, hash, madeBy: userId })
      return { ...made, key }
    },

    async revoke({ pharmacy }: Caller, keyId: string): Promise<void> {
      if (!(await store.revoke(pharmacy.id, keyId))) throw new AppError('api_keys.not_found')
      onRevoked(keyId)
    },

    /** Undefined when the key does not exist or was revoked. */
    holder(key: string): Promise<{ keyId: string; pharmacyId: string } | undefined> {
      return store.find(keyHash(key))
    },
  }
}
