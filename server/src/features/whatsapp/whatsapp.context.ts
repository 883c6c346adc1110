import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import type { WhatsAppLogin } from '@bancone/contract/whatsapp'
import type { Database } from '../../database/database.ts'
import type { PharmacySession } from '../../http/serve.ts'
import type { Context } from '../../platform/context.ts'
import type { Limit } from '../../platform/rate-limits.ts'
import { createSealing as createSealingOf } from '../../platform/sealing.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { WhatsAppBusiness } from '../../ports/whatsapp-business.ts'
import { createConnectionEventsStore } from './connection-events.store.ts'
import { createConnectionsStore } from './connections.store.ts'
import { createContactsStore } from './contacts.store.ts'
import { createDeliveriesStore } from './deliveries.store.ts'
import { createInboundStore } from './messages/inbound.store.ts'
import {
  createMessageSettingsStore,
  createTemplatesStore,
} from './messages/message-settings.store.ts'
import { createConsentsStore, createOrderCustomersStore } from './messages/order-customers.store.ts'
import { createOutboxStore } from './messages/outbox.store.ts'
import { createSendingStore } from './messages/sending.store.ts'
import { createInboxStore } from './webhook/inbox.store.ts'

const whatsAppLimits = {
  // Per pharmacy: connections and checks together.
  'whatsapp-attempts': { points: 30, seconds: 600 },
  // Per pharmacy, for all its users.
  'whatsapp-replies': { points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>

/** The application at Meta. */
export type MetaApplication = {
  business: WhatsAppBusiness
  appSecret: string
  verifyToken: string
  login: WhatsAppLogin
}

/** What WhatsApp needs of the application, and of other features. */
export type WhatsAppDependencies = Context & {
  mailer: Mailer
  /** Adds to the history of an order. `kind` is that of the notice, `at` ISO 8601. */
  noteMessage(
    tx: Database,
    pharmacyId: string,
    orderId: string,
    event: { kind: string; status: string; at: string },
  ): Promise<void>
  /** Creates an order, once for each key. */
  createOrder(
    caller: PharmacySession & { keyId: null },
    idempotencyKey: string,
    fields: NewOrderFields,
  ): Promise<OrderRecord>
  /** Marks an order as ready, unless it has been before. */
  markReady(session: PharmacySession, recordId: string): Promise<void>
  /** The URL of the customer's page, in the name of a user; undefined where the order can have none. */
  issueLink(pharmacyId: string, recordId: string, userId: string): Promise<string | undefined>
}

export type WhatsAppContext = ReturnType<typeof createWhatsAppContext>

/** What the parts of WhatsApp share: the stores, and what they are given. */
export function createWhatsAppContext({
  secrets,
  limits,
  ...given
}: WhatsAppDependencies & { publicUrl: string }) {
  const { db } = given
  const contacts = createContactsStore(db)
  return {
    ...given,
    sealing: createSealing(secrets),
    limits: limits(whatsAppLimits),
    connections: createConnectionsStore(db),
    connectionEvents: createConnectionEventsStore(db),
    inbox: createInboxStore(db),
    deliveries: createDeliveriesStore(db),
    contacts,
    customers: createOrderCustomersStore(db, contacts),
    consents: createConsentsStore(db),
    settings: createMessageSettingsStore(db),
    templates: createTemplatesStore(db),
    inbound: createInboundStore(db),
    outbox: createOutboxStore(db),
    sending: createSendingStore(db),
  }
}

/** `text`: what customers and the pharmacy have written to each other. */
type SealedField = 'token' | 'pin' | 'text'

/** Encrypts what a connection keeps secret, and names the key, so that values of another APP_SECRET are recognized. */
export type Sealing = {
  keyId: string
  seal(pharmacyId: string, field: SealedField, plain: string): Buffer
  /** Undefined when the value was encrypted with another key. */
  open(
    pharmacyId: string,
    field: SealedField,
    sealed: Buffer | null,
    keyId: string | null,
  ): string | undefined
}

export function createSealing(secrets: Secrets): Sealing {
  const { keyId, seal, open } = createSealingOf(secrets, 'whatsapp connections')
  return {
    keyId,
    seal: (pharmacyId, field, plain) => seal(`${pharmacyId} ${field}`, Buffer.from(plain)),
    open: (pharmacyId, field, sealed, sealedWith) =>
      open(`${pharmacyId} ${field}`, sealed, sealedWith)?.toString(),
  }
}
