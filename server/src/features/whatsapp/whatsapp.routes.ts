import {
  checkWhatsApp,
  connectWhatsAppManually,
  disconnectWhatsApp,
  exchangeFacebookToken,
  getWhatsApp,
  type WhatsAppLogin,
} from '@bancone/contract/whatsapp'
import { AppError } from '../../app-error.ts'
import type { Serve } from '../../http/serve.ts'
import type { ConnectionsStore } from './connections.store.ts'
import type { WhatsAppService } from './whatsapp.service.ts'

type Dependencies = {
  connections: Pick<ConnectionsStore, 'get'>
  /** Undefined: Meta is not configured. */
  configured: { whatsApp: WhatsAppService; login: WhatsAppLogin } | undefined
}

export function whatsAppRoutes(serve: Serve, { connections, configured }: Dependencies) {
  function service(): WhatsAppService {
    if (!configured) throw new AppError('whatsapp.not_configured')
    return configured.whatsApp
  }

  serve(getWhatsApp, async (_input, { pharmacy }) => ({
    login: configured?.login ?? null,
    connection: await connections.get(pharmacy.id),
  }))
  serve(exchangeFacebookToken, ({ body }, { pharmacy }) => service().exchange(pharmacy.id, body))
  serve(connectWhatsAppManually, ({ body }, { pharmacy }) =>
    service().connectManually(pharmacy.id, body),
  )
  serve(checkWhatsApp, (_input, { pharmacy }) => service().check(pharmacy.id))
  serve(disconnectWhatsApp, (_input, { pharmacy }) => service().disconnect(pharmacy.id))
}
