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
import type { Serve } from '../../../http/serve.ts'
import type { Drafts } from './drafts.service.ts'
import type { Messages } from './messages.service.ts'
import type { OrderMessages } from './order-messages.service.ts'

type Dependencies = { messages: Messages; orderMessages: OrderMessages; drafts: Drafts }

export function messageRoutes(serve: Serve, { messages, orderMessages, drafts }: Dependencies) {
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
