import { z } from 'zod/mini'
import { Analytics, getAnalytics, getOrderAnalytics, getPresentVisits } from './analytics.ts'
import { AnalyticsNote } from './analytics-notes.ts'
import { getAnalyticsSettings } from './analytics-settings.ts'
import { getTraffic } from './analytics-traffic.ts'
import type { Endpoint } from './endpoint.ts'
import { listOffers } from './offers.ts'
import { Actor, getOrder, OrderDetails, OrderEvent, OrderHold, OrderNote } from './order-details.ts'
import { getOrdersHealth } from './order-health.ts'
import { listOrders, OrderFields, OrderRecord, OrdersPage } from './orders.ts'
import { getOwnPharmacy, OwnPharmacy } from './pharmacies.ts'
import { getPriorityBoard, getPrioritySettings, PriorityBoard, PriorityVisit } from './priority.ts'
import { listProductCategories } from './product-categories.ts'

const HIDDEN = '•••'

/** 'Giulia Bianchi' becomes 'G••• B•••'. */
export function maskedName(name: string): string {
  return name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 3)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0) + HIDDEN)
    .join(' ')
}

const MaskedName = z.pipe(z.string(), z.transform(maskedName))

/** '333 123 4567' becomes '•••67'. */
const MaskedPhone = z.pipe(
  z.string(),
  z.transform((phone) => HIDDEN + phone.replaceAll(/\D/g, '').slice(-2)),
)

/** A free text, in which anything may be written. */
const HiddenText = z.pipe(
  z.string(),
  z.transform(() => HIDDEN),
)

const MaskedRecord = z.extend(z.omit(OrderRecord, { attachments: true }), {
  // Without attachments: they may be prescriptions.
  fields: z.extend(z.omit(OrderFields, { Image: true }), {
    Cliente: z.optional(MaskedName),
    'Phone Number': z.optional(MaskedPhone),
    Indirizzo: z.optional(HiddenText),
    Ordine: z.optional(HiddenText),
  }),
})

const MaskedPriorityVisit = z.extend(PriorityVisit, {
  customerName: z.nullable(MaskedName),
  phone: z.nullable(MaskedPhone),
  place: z.nullable(HiddenText),
  // A desk may be named after a person.
  calledBy: z.nullable(HiddenText),
})

/** Those that are made of the names of offers and holidays stay. */
const MaskedAnalyticsNote = z.pipe(
  AnalyticsNote,
  z.transform((note) => (note.kind === 'own' ? { ...note, text: HIDDEN } : note)),
)

const who = z.nullable(z.extend(Actor, { name: MaskedName }))

/**
 * The endpoints that a support visit may call, with the responses that it gets: without names, telephone numbers,
 * addresses, pictures and free texts of people. A search is not among them, because it would find what is hidden.
 */
export const supportVisitResponses: ReadonlyMap<Endpoint, z.ZodMiniType> = new Map<
  Endpoint,
  z.ZodMiniType
>([
  [
    getOwnPharmacy,
    // That of the administrator.
    z.extend(OwnPharmacy, {
      personName: z.pipe(
        z.nullable(z.string()),
        z.transform(() => null),
      ),
    }),
  ],
  [listOrders, z.extend(OrdersPage, { records: z.array(MaskedRecord) })],
  [
    getOrder,
    z.extend(OrderDetails, {
      order: MaskedRecord,
      history: z.array(z.extend(OrderEvent, { who })),
      notes: z.array(z.extend(OrderNote, { who, text: HiddenText })),
      hold: z.nullable(z.extend(OrderHold, { who, reason: HiddenText })),
      earlier: z.extend(OrderDetails.shape.earlier, { records: z.array(MaskedRecord) }),
    }),
  ],
  [getOrdersHealth, getOrdersHealth.response],
  [listOffers, listOffers.response],
  [
    getPriorityBoard,
    z.extend(PriorityBoard, {
      waiting: z.array(MaskedPriorityVisit),
      onTheWay: z.array(MaskedPriorityVisit),
      sentBack: z.array(MaskedPriorityVisit),
      completed: z.array(MaskedPriorityVisit),
    }),
  ],
  [getPrioritySettings, getPrioritySettings.response],
  [listProductCategories, listProductCategories.response],
  [getAnalytics, z.extend(Analytics, { notes: z.array(MaskedAnalyticsNote) })],
  [getTraffic, getTraffic.response],
  [getOrderAnalytics, getOrderAnalytics.response],
  [getPresentVisits, getPresentVisits.response],
  [getAnalyticsSettings, getAnalyticsSettings.response],
])
