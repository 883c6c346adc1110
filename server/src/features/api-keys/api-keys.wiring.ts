import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { apiKeyRoutes } from './api-keys.routes.ts'
import { type ApiKeysService, createApiKeys } from './api-keys.service.ts'
import { createApiKeysStore } from './api-keys.store.ts'

type Dependencies = {
  db: Database
  /** Called in this process; the other processes are notified by the database. */
  onRevoked(keyId: string): void
}

export function wireApiKeys({
  db,
  onRevoked,
}: Dependencies): AppModule & Pick<ApiKeysService, 'holder'> {
  const apiKeys = createApiKeys({ store: createApiKeysStore(db), onRevoked })
  return {
    holder: apiKeys.holder,
    routes: ({ serve }) => apiKeyRoutes(serve, apiKeys),
  }
}
