import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { OrderRecord, OrderStatus } from './orders.ts'

/** How long the parts of a new order may be, in characters. */
export const newOrderLengths = {
  number: 40,
  customer: 200,
  phone: 40,
  address: 500,
  details: 4_000,
} as const

/**
 * The columns of a new order. Without a number the store gives it one, or we give it the next. A telephone
 * number has six digits at least, however it is written.
 */
export const NewOrderFields = z.strictObject({
  'ID Ordine': z.string().trim().min(1).max(newOrderLengths.number).optional(),
  Cliente: z.string().trim().min(1).max(newOrderLengths.customer),
  'Phone Number': z
    .string()
    .trim()
    .max(newOrderLengths.phone)
    .regex(/^(?=(?:\D*\d){6})[+\d ()./-]+$/)
    .optional(),
  Indirizzo: z.string().trim().min(1).max(newOrderLengths.address).optional(),
  Ordine: z.string().trim().min(1).max(newOrderLengths.details),
  Stato: OrderStatus.default('In attesa'),
})
export type NewOrderFields = z.infer<typeof NewOrderFields>

/** Of the caller's making, the same for every attempt at the same order: it is made once. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{8,200}$/)

/**
 * Makes an order: by hand, in a session of the pharmacy, or by a program with one of its API keys. It is
 * in the pharmacy's list at once, and in its order store as soon as that takes it.
 */
export const createOrder = endpoint({
  method: 'POST',
  path: '/api/orders',
  summary: 'Makes an order',
  description: `Send the API key of the pharmacy as bearer token, and an \`Idempotency-Key\` of your own \
making (8 to 200 printable characters, a UUID for example). Repeat a request that was not answered with the \
same key: the order is made once, and the same answer is given for 24 hours. The same key with another body \
is refused; an order that has been made and removed since is not found. At most 60 orders a minute are taken from a key; \`Retry-After\` says when to try again.`,
  access: 'pharmacy-or-key',
  headers: z.object({ 'idempotency-key': IdempotencyKey }),
  body: z.strictObject({ fields: NewOrderFields }),
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
