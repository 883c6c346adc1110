import { type WhatsAppLogin, whatsAppPaths } from '@bancone/contract/whatsapp'
import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import type { CreateRateLimits } from '../../platform/rate-limits.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { WhatsAppBusiness } from '../../ports/whatsapp-business.ts'
import { callbackRoutes, deletionRoutes } from './callbacks.routes.ts'
import { createConnectionChecksStore } from './connection-checks.store.ts'
import { createConnectionEventsStore } from './connection-events.store.ts'
import { createConnectionsStore } from './connections.store.ts'
import { createDeliveriesStore } from './deliveries.store.ts'
import {
  type CustomerMessagesStore,
  createCustomerMessagesStore,
} from './messages/customer-messages.store.ts'
import { type MessagesNeeds, wireMessages } from './messages/messages.wiring.ts'
import { createSealing } from './sealed.ts'
import { createEventProcessing } from './webhook/event-processing.ts'
import { createInboxStore, inboxBacklog } from './webhook/inbox.store.ts'
import { inboxTasks } from './webhook/inbox-job.ts'
import { createInboxReceiver } from './webhook/inbox-receiver.ts'
import { webhookRoutes } from './webhook/webhook.routes.ts'
import { whatsAppRoutes } from './whatsapp.routes.ts'
import { createWhatsApp, whatsAppLimits } from './whatsapp.service.ts'
import { createCheck } from './whatsapp-check.ts'
import { whatsAppTasks } from './whatsapp-jobs.ts'

type Dependencies = MessagesNeeds & {
  db: Database
  clock: Clock
  secrets: Secrets
  limits: CreateRateLimits
  mailer: Mailer
  publicUrl: string
  log: Pick<Log, 'info' | 'warn'>
  /** Undefined: Meta is not configured, and the page says so. */
  meta:
    | {
        business: WhatsAppBusiness
        appSecret: string
        verifyToken: string
        login: WhatsAppLogin
      }
    | undefined
}

/** Wires the WhatsApp numbers of pharmacies: their connection and the events of Meta. */
export function wireWhatsApp(
  dependencies: Dependencies,
): AppModule & { customers: CustomerMessagesStore } {
  const { db, clock, secrets, limits, mailer, publicUrl, log, meta } = dependencies
  const connections = createConnectionsStore(db)
  const events = createConnectionEventsStore(db)
  const deliveries = createDeliveriesStore(db)
  const inbox = createInboxStore(db)
  const sealing = createSealing(secrets)
  const whatsAppRates = limits(whatsAppLimits)
  const messages = wireMessages({
    ...dependencies,
    sealing,
    limits: whatsAppRates,
    connections,
    events,
    deliveries,
    business: meta?.business,
  })
  const checks = createConnectionChecksStore(db, messages.onConnected)
  const process = createEventProcessing({ connections: events, inbox, log, ...messages })
  const check =
    meta &&
    createCheck({
      business: meta.business,
      connections,
      checks,
      sealing,
      callback: { url: publicUrl + whatsAppPaths.webhook, verifyToken: meta.verifyToken },
      clock,
    })
  const configured = meta &&
    check && {
      login: meta.login,
      whatsApp: createWhatsApp({
        business: meta.business,
        connections,
        sealing,
        check,
        limits: whatsAppRates,
        log,
      }),
    }
  return {
    customers: createCustomerMessagesStore(db, sealing),
    async routes(http) {
      const { app, serve } = http
      messages.module.routes?.(http)
      whatsAppRoutes(serve, { connections, configured })
      deletionRoutes(app, events)
      if (!meta) return
      const { appSecret, verifyToken } = meta
      await webhookRoutes(app, {
        appSecret,
        verifyToken,
        receive: createInboxReceiver(inbox.insert),
      })
      await callbackRoutes(app, { appSecret, publicUrl, connections: events })
    },
    tasks: {
      ...whatsAppTasks({
        check,
        checks,
        deliveries,
        inbox,
        removeMessages: messages.removeOld,
        mailer,
        publicUrl,
        log,
      }),
      ...messages.module.tasks,
      ...inboxTasks({ inbox, process, log }),
    },
    backlogs: { ...messages.module.backlogs, ...inboxBacklog },
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
