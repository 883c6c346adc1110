import type { AppModule } from '../../http/app-module.ts'
import { callbackRoutes, deletionRoutes } from './callbacks.routes.ts'
import {
  type CustomerMessagesStore,
  createCustomerMessagesStore,
} from './messages/conversations.store.ts'
import { createDrafts, createInboundMessages } from './messages/inbound.service.ts'
import { createMessageOutcomes } from './messages/message-outcomes.ts'
import { sendingTasks } from './messages/message-sending.ts'
import { createMessageSettings, templateTasks } from './messages/message-settings.service.ts'
import { createOrderMessages } from './messages/order-messages.service.ts'
import { messageBacklog } from './messages/sending.store.ts'
import { webhookTasks } from './webhook/event-processing.ts'
import { inboxBacklog } from './webhook/inbox.store.ts'
import { webhookRoutes } from './webhook/webhook.routes.ts'
import {
  createWhatsAppContext,
  type MetaApplication,
  type WhatsAppDependencies,
} from './whatsapp.context.ts'
import { whatsAppRoutes } from './whatsapp.routes.ts'
import { createWhatsApp } from './whatsapp.service.ts'
import { createCheck } from './whatsapp-check.ts'
import { whatsAppTasks } from './whatsapp-jobs.ts'

type Dependencies = WhatsAppDependencies & {
  publicUrl: string
  /** Undefined: Meta is not configured, and the page says so. */
  meta: MetaApplication | undefined
}

/** Wires the WhatsApp numbers of pharmacies: their connection, their messages and the events of Meta. */
export function wireWhatsApp({
  meta,
  ...given
}: Dependencies): AppModule & { customers: CustomerMessagesStore } {
  const context = createWhatsAppContext(given)
  const { db, sealing, connectionEvents, inbox, log } = context
  const outcomes = createMessageOutcomes(context)
  const check = meta && createCheck(context, meta)
  return {
    customers: createCustomerMessagesStore(db, sealing),
    async routes({ app, serve }) {
      whatsAppRoutes(serve, {
        connections: context.connections,
        configured: meta &&
          check && { login: meta.login, whatsApp: createWhatsApp(context, meta.business, check) },
        messages: createMessageSettings(context),
        orderMessages: createOrderMessages(context),
        drafts: createDrafts(context),
      })
      deletionRoutes(app, connectionEvents)
      if (!meta) return
      await webhookRoutes(app, meta, inbox.insert)
      await callbackRoutes(app, context, meta.appSecret)
    },
    tasks: {
      ...whatsAppTasks(context, check),
      ...sendingTasks(context, meta?.business, outcomes),
      ...webhookTasks(context, createInboundMessages(context), outcomes),
      ...outcomes.tasks,
      ...templateTasks(context, meta?.business),
    },
    backlogs: { ...messageBacklog, ...inboxBacklog },
    /** Takes up what a killed process has left: its job stays locked for a minute. */
    start() {
      if (!meta) return
      inbox
        .enqueue()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the processing of webhooks was not started'),
        )
    },
  }
}
