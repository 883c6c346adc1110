import {
  checkWhatsApp,
  connectWhatsAppManually,
  disconnectWhatsApp,
  exchangeFacebookToken,
  getWhatsApp,
  type WhatsAppLogin,
} from '@bancone/contract/whatsapp'
import {
  confirmWhatsAppDraft,
  dismissWhatsAppDraft,
  listWhatsAppDrafts,
} from '@bancone/contract/whatsapp-drafts'
import {
  acceptWhatsAppTerms,
  changeWhatsAppMessages,
  getWhatsAppMessages,
  switchOffWhatsAppMessages,
} from '@bancone/contract/whatsapp-messages'
import {
  cancelOrderNotice,
  getOrderWhatsApp,
  listUnreadCustomers,
  markCustomerRead,
  recordWhatsAppConsent,
  sendOrderNotice,
  sendWhatsAppReply,
} from '@bancone/contract/whatsapp-orders'
import { AppError } from '../../base/app-error.ts'
import type { Serve } from '../../http/serve.ts'
import type { ConnectionsStore } from './connections.store.ts'
import type { Drafts } from './messages/inbound.service.ts'
import type { MessageSettings } from './messages/message-settings.service.ts'
import type { OrderMessages } from './messages/order-messages.service.ts'
import type { WhatsAppService } from './whatsapp.service.ts'

type Dependencies = {
  connections: Pick<ConnectionsStore, 'get'>
  /** Undefined: Meta is not configured. */
  configured: { whatsApp: WhatsAppService; login: WhatsAppLogin } | undefined
  messages: MessageSettings
  orderMessages: OrderMessages
  drafts: Drafts
}

export function whatsAppRoutes(serve: Serve, dependencies: Dependencies) {
  const { connections, configured, messages, orderMessages, drafts } = dependencies

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
  serve(getWhatsAppMessages, (_input, { pharmacy }) => messages.get(pharmacy.id))
  serve(acceptWhatsAppTerms, ({ body }, { pharmacy, userId }) =>
    messages.accept(pharmacy.id, userId, body.version),
  )
  serve(switchOffWhatsAppMessages, (_input, { pharmacy }) => messages.switchOff(pharmacy.id))
  serve(changeWhatsAppMessages, ({ body }, { pharmacy }) => messages.change(pharmacy.id, body))
  serve(getOrderWhatsApp, ({ params }, { pharmacy }) =>
    orderMessages.get(pharmacy.id, params.recordId),
  )
  serve(listUnreadCustomers, async (_input, { pharmacy }) => ({
    customers: await orderMessages.unread(pharmacy.id),
  }))
  serve(markCustomerRead, async ({ params, body }, { pharmacy }) => {
    await orderMessages.markRead(pharmacy.id, params.recordId, body.until)
    return {}
  })
  serve(recordWhatsAppConsent, ({ params, body }, { pharmacy, userId }) =>
    orderMessages.recordConsent(pharmacy.id, userId, params.recordId, body),
  )
  serve(sendOrderNotice, ({ params, body }, { pharmacy, userId }) =>
    orderMessages.sendNotice(pharmacy.id, userId, params.recordId, body),
  )
  serve(cancelOrderNotice, ({ params }, { pharmacy }) =>
    orderMessages.cancelNotice(pharmacy.id, params.recordId, params.noticeId),
  )
  serve(sendWhatsAppReply, ({ params, body }, { pharmacy, userId }) =>
    orderMessages.reply(pharmacy.id, userId, params.recordId, body),
  )
  serve(listWhatsAppDrafts, async (_input, { pharmacy }) => ({
    drafts: await drafts.list(pharmacy.id),
  }))
  serve(confirmWhatsAppDraft, ({ params, body }, session) =>
    drafts.confirm(session, params.draftId, body.fields),
  )
  serve(dismissWhatsAppDraft, async ({ params }, { pharmacy }) => {
    await drafts.dismiss(pharmacy.id, params.draftId)
    return {}
  })
}
