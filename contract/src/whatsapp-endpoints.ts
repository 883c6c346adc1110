import type { Endpoint } from './endpoint.ts'
import {
  checkWhatsApp,
  connectWhatsAppManually,
  disconnectWhatsApp,
  exchangeFacebookToken,
  getWhatsApp,
} from './whatsapp.ts'
import {
  confirmWhatsAppDraft,
  dismissWhatsAppDraft,
  listWhatsAppDrafts,
} from './whatsapp-drafts.ts'
import {
  acceptWhatsAppTerms,
  changeWhatsAppMessages,
  getWhatsAppMessages,
  switchOffWhatsAppMessages,
} from './whatsapp-messages.ts'
import {
  cancelOrderNotice,
  getOrderWhatsApp,
  listUnreadCustomers,
  markCustomerRead,
  recordWhatsAppConsent,
  sendOrderNotice,
  sendWhatsAppReply,
} from './whatsapp-orders.ts'

export const whatsAppEndpoints: readonly Endpoint[] = [
  getWhatsApp,
  exchangeFacebookToken,
  connectWhatsAppManually,
  checkWhatsApp,
  disconnectWhatsApp,
  getWhatsAppMessages,
  acceptWhatsAppTerms,
  switchOffWhatsAppMessages,
  changeWhatsAppMessages,
  getOrderWhatsApp,
  recordWhatsAppConsent,
  sendOrderNotice,
  cancelOrderNotice,
  sendWhatsAppReply,
  listUnreadCustomers,
  markCustomerRead,
  listWhatsAppDrafts,
  confirmWhatsAppDraft,
  dismissWhatsAppDraft,
]
