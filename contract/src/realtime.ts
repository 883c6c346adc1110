import { z } from 'zod'
import { RecordId } from './orders.ts'

/** The private topic of a pharmacy's screens: only they may join it. */
export function pharmacyTopic(pharmacyId: string): string {
  return `pharmacy:${pharmacyId}`
}

/** The id in such a topic; undefined for any other. */
export function pharmacyOfTopic(topic: string): string | undefined {
  return /^pharmacy:([0-9a-f-]{36})$/.exec(topic)?.[1]
}

/** The events that the server broadcasts there. */
export const topicEvents = {
  /** Orders were added, changed or removed: `OrdersEvent`. */
  orders: 'orders',
  /** The pharmacy itself was changed: its name, what it may use. */
  pharmacy: 'pharmacy',
  /** What the public is shown of the pharmacy: its offers, their categories, the pharmacy itself. */
  offers: 'offers',
  /** Something may have been missed: read everything again. */
  missed: 'missed',
} as const

/** Which orders an event is about, by record id: never what is in them. Null when they are too many. */
export const OrdersEvent = z.object({
  kind: z.enum(['added', 'changed', 'removed']),
  ids: z.array(RecordId).nullable(),
})
export type OrdersEvent = z.infer<typeof OrdersEvent>

/** The key the clients of the Realtime protocol must name: it says which product calls, and opens nothing. */
export const REALTIME_KEY = 'bancone'
