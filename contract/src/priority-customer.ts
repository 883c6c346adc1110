import { z } from 'zod/mini'
import type { BrandPalette } from './brand-color.ts'
import { normalizeDisplayName } from './display-name.ts'
import { endpoint } from './endpoint.ts'
import type { Closing, OpeningWeek } from './opening-hours.ts'
import { PriorityStatus, WaitingTime } from './priority.ts'

/** Why a customer's page shows nothing. The texts are the page's. */
export const PriorityRefusal = z.enum([
  'Ordine non trovato',
  'Funzione non disponibile presso questa farmacia',
  'Si è verificato un errore, riprova più tardi',
  'Farmacia non trovata',
])
export type PriorityRefusal = z.infer<typeof PriorityRefusal>

/** The random token of a link: 128 bits, base64url. */
export const PriorityToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))

/** Where the customer waits: one line, without characters that change the direction of the staff's text. */
export const PLACE_LENGTH = 30
export const Place = z.pipe(
  z.pipe(z.string(), z.transform(normalizeDisplayName)),
  z.string().check(z.minLength(1), z.maxLength(PLACE_LENGTH)),
)

/** Four digits at the end of the telephone number of the order, and how often they may be wrong in an hour. */
export const PhoneDigits = z.string().check(z.regex(/^\d{4}$/))
export const MAX_DIGIT_ATTEMPTS = 5

/** A priority session as its customer sees it, with the token. It names neither the customer nor a product. */
export const CustomerPrioritySession = z.object({
  status: PriorityStatus,
  orderNumber: z.nullable(z.string()),
  /** Null before the arrival. */
  code: z.nullable(z.string()),
  place: z.nullable(z.string()),
  arrivedAt: z.nullable(z.string()),
  calledAt: z.nullable(z.string()),
  /** The desk to go to. */
  calledBy: z.nullable(z.string()),
  /** How many customers arrived before; null unless waiting. */
  ahead: z.nullable(z.int()),
  /** Null with fewer than five recent waits, or without an operator. */
  wait: z.nullable(WaitingTime),
  /** Whether a screen of the pharmacy was open within the last minute. */
  isAttended: z.boolean(),
  /** The time until which the customer cannot announce themselves again, after not being there; else null. */
  coolsUntil: z.nullable(z.string()),
  /** The priority session has ended, and a newer link was sent for the order. */
  isReplaced: z.boolean(),
  /** Increases with every change of the priority session. */
  version: z.int(),
})
export type CustomerPrioritySession = z.infer<typeof CustomerPrioritySession>

const link = {
  pharmacyCode: z.string().check(z.minLength(1), z.maxLength(100)),
  token: PriorityToken,
}

const errors = [
  'priority.pharmacy_not_found',
  'priority.feature_off',
  'priority.order_not_found',
  'priority.too_many_requests',
] as const

/** Reads the priority session; nothing is changed. A POST, so that the token is in no address. */
export const getCustomerPrioritySession = endpoint({
  method: 'POST',
  path: '/api/public/priority/session',
  summary: 'Get the priority session of a link',
  access: 'public',
  audit: { none: 'reads' },
  body: z.strictObject(link),
  response: CustomerPrioritySession,
  errors,
})

/** Idempotent: an arrival that is repeated gives the present state. */
export const changeCustomerPrioritySession = endpoint({
  method: 'POST',
  path: '/api/public/priority/session/status',
  summary: 'Say that one is on the way, has arrived, or is not coming',
  access: 'public',
  audit: { none: 'priority sessions have a history of their own' },
  body: z.strictObject({
    ...link,
    to: z.enum(['on_the_way', 'user_arrived', 'cancelled']),
    place: z._default(z.nullable(Place), null),
  }),
  response: CustomerPrioritySession,
  errors: [...errors, 'priority.ended', 'priority.cooling_down', 'priority.closed'],
})

/** While the customer waits. */
export const changeCustomerPlace = endpoint({
  method: 'POST',
  path: '/api/public/priority/session/place',
  summary: 'Say where one waits',
  access: 'public',
  audit: { none: 'customers without an account' },
  body: z.strictObject({ ...link, place: z.nullable(Place) }),
  response: CustomerPrioritySession,
  errors: [...errors, 'priority.ended'],
})

/**
 * Gives a token to the customer who opened the page without one, or found it with a poster by the number of the order.
 * With the number, the priority session of an order that has none begins. The response to a wrong number and to wrong
 * digits is the same. After five wrong tries of a priority session no digits are accepted for an hour, and after
 * fifteen until a link is issued again.
 */
export const unlockCustomerPrioritySession = endpoint({
  method: 'POST',
  path: '/api/public/priority/unlock',
  summary: 'Get the link of a priority session by the last digits of the telephone number',
  access: 'public',
  audit: { none: 'customers without an account' },
  body: z.strictObject({
    pharmacyCode: link.pharmacyCode,
    order: z.union([
      // The record id of the order, as in the path of the page.
      z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
      z.strictObject({ number: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) }),
    ]),
    digits: PhoneDigits,
  }),
  response: z.object({ orderId: z.string(), token: PriorityToken }),
  errors: [
    'priority.pharmacy_not_found',
    'priority.feature_off',
    'priority.not_matched',
    'priority.too_many_requests',
  ],
})

/** What a display shows: who was called, newest first, and how many wait. */
export const PriorityDisplayState = z.object({
  pharmacyName: z.string(),
  called: z.array(
    z.object({ code: z.string(), desk: z.nullable(z.string()), calledAt: z.string() }),
  ),
  waiting: z.int(),
})
export type PriorityDisplayState = z.infer<typeof PriorityDisplayState>

export const getPriorityDisplay = endpoint({
  method: 'POST',
  path: '/api/public/priority/display',
  summary: 'Get what a display shows',
  access: 'public',
  audit: { none: 'reads' },
  body: z.strictObject({ token: PriorityToken }),
  response: PriorityDisplayState,
  errors: ['priority.display_not_found', 'priority.too_many_requests'],
})

/**
 * Server-sent events, not bound as endpoints because they stream: a POST with the body of `getCustomerPrioritySession`
 * or of `getPriorityDisplay`. Every event is the whole state. An event is sent at once, and then with every change.
 */
export const priorityStreams = {
  session: '/api/public/priority/session/events',
  display: '/api/public/priority/display/events',
} as const

/** What the pages show of a pharmacy. */
export type PriorityPharmacy = {
  code: string
  name: string
  address: string | null
  phone: string | null
  /** For `tel:` links, E.164; null where `phone` is no number. */
  callNumber: string | null
  logoUrl: string | null
  palette: BrandPalette | null
  /** Null where the pharmacy does not tell its hours. */
  openingWeek: OpeningWeek | null
  closings: readonly Closing[]
}

/**
 * The data that a page is drawn from on the server, without a token: `priority session` is the page of a link, `find`
 * the one that a poster leads to, `display` the screen in the room.
 */
export type PriorityPage = {
  kind: 'session' | 'find' | 'display'
  /** The record id in the path of a priority session. */
  orderId: string | null
  /** Null where the pharmacy is not known, and for a display. */
  pharmacy: PriorityPharmacy | null
  /** The state of the priority session, which is all that is shown without a token. */
  status: PriorityStatus | null
  refusal: PriorityRefusal | null
}
