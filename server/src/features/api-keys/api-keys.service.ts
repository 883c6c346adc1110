import type { ApiKey } from '@bancone/contract/api-keys'
import { AppError } from '../../app-error.ts'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
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
    async create(
      { userId, pharmacy }: Caller,
      name: string,
      origin: Origin,
    ): Promise<ApiKey & { key: string }> {
      const { key, start, hash } = newKey()
      const actor = { actorId: userId, ...origin }
      const made = await store.insert(pharmacy.id, { name, start, hash }, actor)
      return { ...made, key }
    },

    async revoke({ userId, pharmacy }: Caller, keyId: string, origin: Origin): Promise<void> {
      const actor = { actorId: userId, ...origin }
      if (!(await store.revoke(pharmacy.id, keyId, actor))) throw new AppError('api_keys.not_found')
      onRevoked(keyId)
    },

    /** Undefined when the key does not exist or was revoked. */
    holder(key: string): Promise<{ keyId: string; pharmacyId: string } | undefined> {
      return store.find(keyHash(key))
    },
  }
}
