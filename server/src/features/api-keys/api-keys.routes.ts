import { createApiKey, listApiKeys, revokeApiKey } from '@bancone/contract/api-keys'
import type { Serve } from '../../http/serve.ts'
import type { ApiKeysService } from './api-keys.service.ts'

export function apiKeyRoutes(serve: Serve, apiKeys: ApiKeysService) {
  serve(listApiKeys, async (_input, session) => ({ keys: await apiKeys.list(session) }))

  serve(createApiKey, ({ body }, session) => apiKeys.create(session, body.name))

  serve(revokeApiKey, async ({ params }, session) => {
    await apiKeys.revoke(session, params.keyId)
    return {}
  })
}
