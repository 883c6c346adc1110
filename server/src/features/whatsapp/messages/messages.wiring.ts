import { z } from 'zod'
import type { AppModule } from '../../../app-module.ts'
import type { Database } from '../../../database/database.ts'
import type { RateLimits } from '../../../platform/rate-limits.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { WhatsAppBusiness } from '../../../ports/whatsapp-business.ts'
import type { ConnectionEventsStore } from '../connection-events.store.ts'
import type { ConnectionsStore } from '../connections.store.ts'
import { createContactsStore } from '../contacts.store.ts'
import type { DeliveriesStore } from '../deliveries.store.ts'
import type { Sealing } from '../sealed.ts'
import type { WhatsAppLimitName } from '../whatsapp.service.ts'
import { createConsentsStore } from './consents.store.ts'
import { type CreateOrder, createDrafts } from './drafts.service.ts'
import { createInboundStore } from './inbound.store.ts'
import { createInboundMessages } from './inbound-messages.ts'
import { createMessageReports, createRefusalEffects, type NoteMessage } from './message-outcomes.ts'
import { createMessageSending, type IssueLink } from './message-sending.ts'
import { createMessageSettingsStore, createTemplatesStore } from './message-settings.store.ts'
import { messageRoutes } from './messages.routes.ts'
import { createMessages, enqueueTemplates, templateTasks } from './messages.service.ts'
import { createOrderCustomersStore } from './order-customers.store.ts'
import { createOrderMessages } from './order-messages.service.ts'
import { createOrderMessagesStore } from './order-messages.store.ts'
import { createOutboxStore, messageBacklog, SEND_TASK } from './outbox.store.ts'
import { createOutboxSendingStore } from './outbox-sending.store.ts'
import { createSendingStore } from './sending.store.ts'

/** What messages need of other features. */
export type MessagesNeeds = {
  /** Adds what is reported of a message to the history of its order. */
  noteMessage: NoteMessage
  createOrder: CreateOrder
  issueLink: IssueLink
}

type Dependencies = MessagesNeeds & {
  db: Database
  clock: Clock
  sealing: Sealing
  limits: RateLimits<WhatsAppLimitName>
  connections: ConnectionsStore
  events: ConnectionEventsStore
  deliveries: DeliveriesStore
  publicUrl: string
  /** Undefined: Meta is not configured. */
  business: WhatsAppBusiness | undefined
}

const OfMessage = z.object({ pharmacyId: z.uuid(), messageId: z.uuid() })

/** Wires what is sent to customers and what they write. */
export function wireMessages(dependencies: Dependencies) {
  const { db, clock, sealing, connections, events, deliveries, publicUrl, business } = dependencies
  const settings = createMessageSettingsStore(db)
  const consents = createConsentsStore(db)
  const outbox = { ...createOutboxStore(db), ...createOutboxSendingStore(db) }
  const inbound = createInboundStore(db)
  const templates = createTemplatesStore(db)
  const sending = createSendingStore(db)
  const contacts = createContactsStore(db)
  const customers = createOrderCustomersStore(db, contacts)
  const refusals = createRefusalEffects({
    db,
    outbox,
    contacts,
    settings,
    templates,
    connections: events,
    clock,
  })
  const send =
    business &&
    createMessageSending({
      db,
      business,
      sending,
      outbox,
      contacts,
      customers,
      consents,
      connections,
      refusals,
      sealing,
      issueLink: dependencies.issueLink,
      publicUrl,
      clock,
    })
  const messages = createMessages({ db, settings, templates, connections, outbox })
  const orderMessages = createOrderMessages({
    db,
    settings,
    customers,
    contacts,
    consents,
    outbox,
    messages: createOrderMessagesStore(db),
    sending,
    limits: dependencies.limits,
    sealing,
    clock,
  })
  const drafts = createDrafts({
    inbound,
    customers,
    createOrder: dependencies.createOrder,
    sealing,
  })
  const module: AppModule = {
    backlogs: messageBacklog,
    routes: ({ serve }) => messageRoutes(serve, { messages, orderMessages, drafts }),
    tasks: {
      [SEND_TASK]: {
        lane: 'delivery',
        async run(payload) {
          const { pharmacyId, messageId } = OfMessage.parse(payload)
          await send?.(pharmacyId, messageId)
        },
      },
      ...refusals.tasks,
      ...templateTasks({
        db,
        business,
        connections,
        settings,
        templates,
        outbox,
        sealing,
        publicUrl,
        clock,
      }),
    },
  }
  return {
    module,
    contacts,
    inbound: createInboundMessages({
      settings,
      consents,
      customers,
      inbound,
      outbox,
      sealing,
      clock,
    }),
    report: createMessageReports({
      deliveries,
      outbox,
      refusals,
      connections: events,
      noteMessage: dependencies.noteMessage,
    }),
    /** What waited for the connection is sent; Meta may have changed the templates meanwhile. */
    async onConnected(tx: Database, pharmacyId: string): Promise<void> {
      await outbox.wake(
        tx,
        pharmacyId,
        ['connection', 'quality', 'payment', 'name', 'registration'],
        clock.now(),
      )
      if (await settings.isOn(tx, pharmacyId)) await enqueueTemplates(tx, pharmacyId)
    },
    async removeOld(): Promise<number> {
      await outbox.removeOld()
      await contacts.removeOld()
      return inbound.removeOld()
    },
  }
}
