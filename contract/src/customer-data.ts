import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The most numbers of orders that are listed. */
export const MAX_LISTED_NUMBERS = 50

/** A telephone number as people write it; without a country code it is Italian. */
const OfPhone = z.strictObject({ phone: z.string().trim().min(1).max(40) })

/** How the pharmacy knows that the request is the customer's own. */
export const IdentityCheck = z.enum(['known', 'document', 'own_number'])
export type IdentityCheck = z.infer<typeof IdentityCheck>

/** How much a pharmacy keeps of the customer with a telephone number. */
export const CustomerDataCounts = z.object({
  /** The number in E.164. */
  phone: z.string(),
  /** Orders that an erasure anonymizes. */
  orders: z.number().int(),
  /** Those of them that wait. An erasure cancels them. */
  waitingOrders: z.number().int(),
  /** Orders that are read from Airtable. An erasure does not change them: they are to be deleted there. */
  airtableOrders: z.number().int(),
  /** The numbers of those, newest first. */
  airtableNumbers: z.array(z.string()),
  /** Orders that are held. As long as there are some, nothing is erased. */
  heldOrders: z.number().int(),
  /** The numbers of those, newest first. */
  heldNumbers: z.array(z.string()),
  /** Visits with priority access that have the customer's data. */
  visits: z.number().int(),
  /** Messages of WhatsApp, from the customer and to them. */
  messages: z.number().int(),
  isContact: z.boolean(),
})
export type CustomerDataCounts = z.infer<typeof CustomerDataCounts>

/** What a pharmacy keeps of a customer, for the customer. Of pictures it says only that there are some. Times are ISO 8601. */
export const CustomerDataCopy = z.object({
  phone: z.string(),
  pharmacy: z.string(),
  madeAt: z.string(),
  orders: z.array(
    z.object({
      number: z.string().nullable(),
      createdAt: z.string(),
      changedAt: z.string(),
      status: z.string(),
      name: z.string().nullable(),
      phone: z.string().nullable(),
      address: z.string().nullable(),
      details: z.string().nullable(),
      hasPicture: z.boolean(),
      isInAirtable: z.boolean(),
      /** Why the order is held; null: it is not. */
      held: z.string().nullable(),
      notes: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
  ),
  visits: z.array(
    z.object({
      orderNumber: z.string().nullable(),
      name: z.string().nullable(),
      phone: z.string().nullable(),
      place: z.string().nullable(),
      issuedAt: z.string(),
      arrivedAt: z.string().nullable(),
      endedAt: z.string().nullable(),
    }),
  ),
  contact: z
    .object({
      name: z.string().nullable(),
      firstSeenAt: z.string(),
      lastInboundAt: z.string().nullable(),
    })
    .nullable(),
  consents: z.array(z.object({ at: z.string(), isGiven: z.boolean(), wording: z.string() })),
  messages: z.array(
    z.object({
      at: z.string(),
      isFromCustomer: z.boolean(),
      /** Null: an automatic message, or one without text. */
      text: z.string().nullable(),
    }),
  ),
})
export type CustomerDataCopy = z.infer<typeof CustomerDataCopy>

/** What was erased, and when. */
export const CustomerErasure = z.object({
  erasedAt: z.string(),
  orders: z.number().int(),
  visits: z.number().int(),
  messages: z.number().int(),
  isContact: z.boolean(),
  /** Orders that are still in Airtable. */
  airtableOrders: z.number().int(),
})
export type CustomerErasure = z.infer<typeof CustomerErasure>

/** A POST, because a telephone number does not belong in an address. */
export const findCustomerData = endpoint({
  method: 'POST',
  path: '/api/customer-data/search',
  summary: "Count a customer's data",
  access: 'pharmacy',
  role: 'owner',
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
  body: OfPhone.extend({ identity: IdentityCheck }),
  response: CustomerDataCopy,
  errors: ['customer_data.bad_phone'],
})

/** Can be repeated. After a restore from an older back-up, the data that are older than the erasure are erased again. */
export const eraseCustomerData = endpoint({
  method: 'POST',
  path: '/api/customer-data/erasure',
  summary: "Erase a customer's data",
  access: 'pharmacy',
  role: 'owner',
  body: OfPhone.extend({ identity: IdentityCheck }),
  response: CustomerErasure,
  errors: ['customer_data.bad_phone', 'customer_data.orders_held'],
})
