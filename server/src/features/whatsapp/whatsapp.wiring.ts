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
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Serve } from '../../http/serve.ts'
import type { Tasks } from '../../platform/jobs.ts'
import { MailerError } from '../../ports/mailer.ts'
import { callbackRoutes, deletionRoutes } from './callbacks.routes.ts'
import { CHECK_TASK } from './connections.store.ts'
import { addReminders } from './messages/automatic-notices.store.ts'
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
  type WhatsAppContext,
  type WhatsAppDependencies,
} from './whatsapp.context.ts'
import { createWhatsApp, type WhatsAppService } from './whatsapp.service.ts'
import { type CheckConnection, createCheck } from './whatsapp-check.ts'
import { MAIL_TASK, MailJob, writeWhatsAppMail } from './whatsapp-mails.ts'

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
      const configured = meta &&
        check && { login: meta.login, whatsApp: createWhatsApp(context, meta.business, check) }
      whatsAppRoutes(serve, context, configured)
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

/** @param configured undefined: Meta is not configured */
function whatsAppRoutes(
  serve: Serve,
  context: WhatsAppContext,
  configured: { whatsApp: WhatsAppService; login: WhatsAppLogin } | undefined,
) {
  const { connections } = context
  const messages = createMessageSettings(context)
  const orderMessages = createOrderMessages(context)
  const drafts = createDrafts(context)

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
  serve(sendOrderNotice, ({ params, body }, session) =>
    orderMessages.sendNotice(session, params.recordId, body),
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

export const WHATSAPP_DAY_TASK = 'whatsapp.day'

const OfPharmacy = z.object({ pharmacyId: z.uuid() })

/** @param check undefined: Meta is not configured */
function whatsAppTasks(context: WhatsAppContext, check: CheckConnection | undefined): Tasks {
  const { db, connectionEvents, deliveries, inbox, outbox, contacts, inbound } = context
  const { mailer, publicUrl, log } = context
  return {
    [CHECK_TASK]: {
      lane: 'maintenance',
      async run(payload) {
        await check?.(OfPharmacy.parse(payload).pharmacyId)
      },
    },
    [MAIL_TASK]: {
      lane: 'delivery',
      async run(payload) {
        const { pharmacyId, mail } = MailJob.parse(payload)
        const to = await connectionEvents.recipient(pharmacyId)
        if (!to) return
        try {
          await mailer.send({ to: to.email, ...writeWhatsAppMail(mail, to.name, publicUrl) })
        } catch (error) {
          if (!(error instanceof MailerError) || error.kind === 'unavailable') throw error
          log.warn({ err: error, mail: mail.kind }, 'a mail was refused')
        }
      },
    },
    [WHATSAPP_DAY_TASK]: {
      lane: 'maintenance',
      async run() {
        await addReminders(db)
        const connections = check ? await connectionEvents.enqueueChecks() : 0
        const removed = await deliveries.removeOld()
        await inbox.removeOld()
        await outbox.removeOld()
        await contacts.removeOld()
        const messages = await inbound.removeOld()
        log.info({ connections, removed, messages }, 'the day of WhatsApp has begun')
      },
    },
  }
}
