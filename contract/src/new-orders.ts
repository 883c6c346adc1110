import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrderRecord, OrderStatus } from './orders.ts'

/** The maximum length of each text of a new order, in characters. */
export const newOrderLengths = {
  number: 40,
  customer: 200,
  phone: 40,
  address: 500,
  details: 4_000,
} as const

/**
 * The columns of a new order. An order without a number gets one from Airtable or, without Airtable, the next one.
 * A telephone number has at least six digits, in any notation.
 */
export const NewOrderFields = z.strictObject({
  'ID Ordine': z.optional(
    z.string().check(z.trim(), z.minLength(1), z.maxLength(newOrderLengths.number)),
  ),
  Cliente: z.string().check(z.trim(), z.minLength(1), z.maxLength(newOrderLengths.customer)),
  'Phone Number': z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(newOrderLengths.phone),
        z.regex(/^(?=(?:\D*\d){6})[+\d ()./-]+$/),
      ),
  ),
  Indirizzo: z.optional(
    z.string().check(z.trim(), z.minLength(1), z.maxLength(newOrderLengths.address)),
  ),
  Ordine: z.string().check(z.trim(), z.minLength(1), z.maxLength(newOrderLengths.details)),
  Stato: z._default(OrderStatus, 'In attesa'),
})
export type NewOrderFields = z.infer<typeof NewOrderFields>

/** Chosen by the caller and repeated with every retry, so that the order is created only once. */
export const IdempotencyKey = z.string().check(z.regex(/^[\x21-\x7e]{8,200}$/))

/**
 * Creates an order, from a session of the pharmacy or from a program with one of its API keys. The order appears in
 * the pharmacy's list at once and is sent to Airtable in the background.
 */
export const createOrder = endpoint({
  method: 'POST',
  path: '/api/orders',
  summary: 'Create an order',
  audit: { none: 'orders have a history of their own' },
  description: `Send the API key of the pharmacy as bearer token, and an \`Idempotency-Key\` of your own \
making (8 to 200 printable characters, a UUID for example). Repeat a request that was not answered with the \
same key: the order is made once, and the same answer is given for 24 hours. The same key with another body \
is refused; an order that has been made and removed since is not found. At most 60 orders a minute are taken from a key; \`Retry-After\` says when to try again.`,
  access: 'pharmacy-or-key',
  headers: z.object({ 'idempotency-key': IdempotencyKey }),
  body: z.strictObject({ fields: NewOrderFields }),
  maxBodyBytes: 32 * 1024,
  example: {
    fields: {
      Cliente: 'Giulia Bianchi',
      'Phone Number': '+39 333 123 4567',
      Indirizzo: 'Via Garibaldi 12, Venezia',
      Ordine: 'Tachipirina 1000, una confezione',
    },
  },
  response: OrderRecord,
  status: 201,
  errors: [
    'orders.key_reused',
    'orders.being_made',
    'orders.not_found',
    'orders.number_taken',
    'orders.too_many',
    'orders.source_refused',
  ],
})
