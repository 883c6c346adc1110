import { createApiKey, listApiKeys, revokeApiKey } from '@bancone/contract/api-keys'
import type { Serve } from '../../http/serve.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { ApiKeysService } from './api-keys.service.ts'

export function apiKeyRoutes(serve: Serve, apiKeys: ApiKeysService) {
  serve(listApiKeys, async (_input, session) => ({ keys: await apiKeys.list(session) }))

  serve(createApiKey, ({ body }, session, call) =>
    apiKeys.create(session, body.name, callerFrom(call)),
  )

  serve(revokeApiKey, async ({ params }, session, call) => {
    await apiKeys.revoke(session, params.keyId, callerFrom(call))
    return {}
  })
}
