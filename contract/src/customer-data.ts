import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The most numbers of orders that are listed. */
export const MAX_LISTED_NUMBERS = 50

/** A telephone number as people write it; without a country code it is Italian. */
const OfPhone = z.strictObject({
  phone: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
})

/** How the pharmacy knows that the request is the customer's own. */
export const IdentityCheck = z.enum(['known', 'document', 'own_number'])
export type IdentityCheck = z.infer<typeof IdentityCheck>

/** How much a pharmacy keeps of the customer with a telephone number. */
export const CustomerDataCounts = z.object({
  /** The number in E.164. */
  phone: z.string(),
  /** Orders that an erasure anonymizes. */
  orders: z.int(),
  /** Those of them that wait. An erasure cancels them. */
  waitingOrders: z.int(),
  /** Orders that are read from Airtable. An erasure does not change them: they are to be deleted there. */
  airtableOrders: z.int(),
  /** The numbers of those, newest first. */
  airtableNumbers: z.array(z.string()),
  /** Orders that are held. As long as there are some, nothing is erased. */
  heldOrders: z.int(),
  /** The numbers of those, newest first. */
  heldNumbers: z.array(z.string()),
  /** Priority sessions that have the customer's data. */
  prioritySessions: z.int(),
  /** Messages of WhatsApp, from the customer and to them. */
  messages: z.int(),
  isContact: z.boolean(),
})
export type CustomerDataCounts = z.infer<typeof CustomerDataCounts>

/**
 * What a pharmacy keeps of a customer, for the customer. Of pictures it says only that there are some. Times are ISO
 * 8601.
 */
export const CustomerDataCopy = z.object({
  phone: z.string(),
  pharmacy: z.string(),
  madeAt: z.string(),
  orders: z.array(
    z.object({
      number: z.nullable(z.string()),
      createdAt: z.string(),
      changedAt: z.string(),
      status: z.string(),
      name: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      address: z.nullable(z.string()),
      details: z.nullable(z.string()),
      hasPicture: z.boolean(),
      isInAirtable: z.boolean(),
      /** Why the order is held; null: it is not. */
      held: z.nullable(z.string()),
      notes: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
  ),
  prioritySessions: z.array(
    z.object({
      orderNumber: z.nullable(z.string()),
      name: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      place: z.nullable(z.string()),
      issuedAt: z.string(),
      arrivedAt: z.nullable(z.string()),
      endedAt: z.nullable(z.string()),
    }),
  ),
  contact: z.nullable(
    z.object({
      name: z.nullable(z.string()),
      firstSeenAt: z.string(),
      lastInboundAt: z.nullable(z.string()),
    }),
  ),
  consents: z.array(z.object({ at: z.string(), isGiven: z.boolean(), wording: z.string() })),
  messages: z.array(
    z.object({
      at: z.string(),
      isFromCustomer: z.boolean(),
      /** Null: an automatic message, or one without text. */
      text: z.nullable(z.string()),
    }),
  ),
})
export type CustomerDataCopy = z.infer<typeof CustomerDataCopy>

/** What was erased, and when. */
export const CustomerErasure = z.object({
  erasedAt: z.string(),
  orders: z.int(),
  prioritySessions: z.int(),
  messages: z.int(),
  isContact: z.boolean(),
  /** Orders that are still in Airtable. */
  airtableOrders: z.int(),
})
export type CustomerErasure = z.infer<typeof CustomerErasure>

/** A POST, because a telephone number does not belong in an address. */
export const findCustomerData = endpoint({
  method: 'POST',
  path: '/api/customer-data/search',
  summary: "Count a customer's data",
  access: 'pharmacy',
  role: 'owner',
  audit: { none: 'reads' },
  body: OfPhone,
  response: CustomerDataCounts,
  errors: ['customer_data.bad_phone'],
})

export const copyCustomerData = endpoint({
  method: 'POST',
  path: '/api/customer-data/copy',
  summary: "Get a copy of a customer's data",
  access: 'pharmacy',
  role: 'owner',
  audit: 'customer_copied',
  body: z.extend(OfPhone, { identity: IdentityCheck }),
  response: CustomerDataCopy,
  errors: ['customer_data.bad_phone'],
})

/**
 * Can be repeated. After a restore from an older back-up, the data that are older than the erasure are erased again.
 */
export const eraseCustomerData = endpoint({
  method: 'POST',
  path: '/api/customer-data/erasure',
  summary: "Erase a customer's data",
  access: 'pharmacy',
  role: 'owner',
  audit: 'customer_erased',
  body: z.extend(OfPhone, { identity: IdentityCheck }),
  response: CustomerErasure,
  errors: ['customer_data.bad_phone', 'customer_data.orders_held'],
})
