import { z } from 'zod/mini'
import { Analytics, getAnalytics } from './analytics.ts'
import { AnalyticsNote } from './analytics-notes.ts'
import type { Endpoint } from './endpoint.ts'
import { Actor, getOrder, OrderDetails, OrderEvent, OrderHold, OrderNote } from './order-details.ts'
import { listOrders, OrderFields, OrderRecord, OrdersPage } from './orders.ts'
import { getOwnPharmacy, OwnPharmacy } from './pharmacies.ts'
import { getPriorityBoard, PriorityBoard, PrioritySession } from './priority.ts'

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

const MaskedPrioritySession = z.extend(PrioritySession, {
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

type MaskedEndpoint = Endpoint & { supportSession: 'masked' }

/**
 * The responses that a support session gets: without names, telephone numbers, addresses, pictures and free texts of
 * people.
 */
const masks: ReadonlyMap<Endpoint, z.ZodMiniType> = new Map<MaskedEndpoint, z.ZodMiniType>([
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
  [
    getPriorityBoard,
    z.extend(PriorityBoard, {
      waiting: z.array(MaskedPrioritySession),
      onTheWay: z.array(MaskedPrioritySession),
      sentBack: z.array(MaskedPrioritySession),
      completed: z.array(MaskedPrioritySession),
    }),
  ],
  [getAnalytics, z.extend(Analytics, { notes: z.array(MaskedAnalyticsNote) })],
])

/** The response of an endpoint to a support session; undefined where it is refused. */
export function supportSessionResponse(endpoint: Endpoint): z.ZodMiniType | undefined {
  if (endpoint.supportSession !== 'masked') return endpoint.supportSession && endpoint.response
  const mask = masks.get(endpoint)
  if (!mask) throw new Error(`${endpoint.path} has no mask`)
  return mask
}
