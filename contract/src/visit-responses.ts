import { z } from 'zod'
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

const MaskedName = z.string().transform(maskedName)

/** '333 123 4567' becomes '•••67'. */
const MaskedPhone = z.string().transform((phone) => HIDDEN + phone.replaceAll(/\D/g, '').slice(-2))

/** A free text, in which anything may be written. */
const HiddenText = z.string().transform(() => HIDDEN)

const MaskedRecord = OrderRecord.omit({ attachments: true }).extend({
  // Without attachments: they may be prescriptions.
  fields: OrderFields.omit({ Image: true }).extend({
    Cliente: MaskedName.optional(),
    'Phone Number': MaskedPhone.optional(),
    Indirizzo: HiddenText.optional(),
    Ordine: HiddenText.optional(),
  }),
})

const MaskedPriorityVisit = PriorityVisit.extend({
  customerName: MaskedName.nullable(),
  phone: MaskedPhone.nullable(),
  place: HiddenText.nullable(),
  // A desk may be named after a person.
  calledBy: HiddenText.nullable(),
})

/** Those that are made of the names of offers and holidays stay. */
const MaskedAnalyticsNote = AnalyticsNote.transform((note) =>
  note.kind === 'own' ? { ...note, text: HIDDEN } : note,
)

const who = Actor.extend({ name: MaskedName }).nullable()

/**
 * The endpoints that a support visit may call, with the responses that it gets: without names, telephone numbers,
 * addresses, pictures and free texts of people. A search is not among them, because it would find what is hidden.
 */
export const visitResponses: ReadonlyMap<Endpoint, z.ZodType> = new Map<Endpoint, z.ZodType>([
  [
    getOwnPharmacy,
    // That of the administrator.
    OwnPharmacy.extend({
      personName: z
        .string()
        .nullable()
        .transform(() => null),
    }),
  ],
  [listOrders, OrdersPage.extend({ records: z.array(MaskedRecord) })],
  [
    getOrder,
    OrderDetails.extend({
      order: MaskedRecord,
      history: z.array(OrderEvent.extend({ who })),
      notes: z.array(OrderNote.extend({ who, text: HiddenText })),
      hold: OrderHold.extend({ who, reason: HiddenText }).nullable(),
      earlier: OrderDetails.shape.earlier.extend({ records: z.array(MaskedRecord) }),
    }),
  ],
  [getOrdersHealth, getOrdersHealth.response],
  [listOffers, listOffers.response],
  [
    getPriorityBoard,
    PriorityBoard.extend({
      waiting: z.array(MaskedPriorityVisit),
      onTheWay: z.array(MaskedPriorityVisit),
      sentBack: z.array(MaskedPriorityVisit),
      completed: z.array(MaskedPriorityVisit),
    }),
  ],
  [getPrioritySettings, getPrioritySettings.response],
  [listProductCategories, listProductCategories.response],
  [getAnalytics, Analytics.extend({ notes: z.array(MaskedAnalyticsNote) })],
  [getTraffic, getTraffic.response],
  [getOrderAnalytics, getOrderAnalytics.response],
  [getPresentVisits, getPresentVisits.response],
  [getAnalyticsSettings, getAnalyticsSettings.response],
])
