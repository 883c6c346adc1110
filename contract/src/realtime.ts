/** The private topic of a pharmacy. Only its users may join it. */
export function pharmacyTopic(pharmacyId: string): string {
  return `pharmacy:${pharmacyId}`
}

/** The pharmacy id in a pharmacy topic; undefined for any other topic. */
export function pharmacyOfTopic(topic: string): string | undefined {
  return /^pharmacy:([0-9a-f-]{36})$/.exec(topic)?.[1]
}

/** The events that the server broadcasts on a pharmacy topic, without a payload. */
export const topicEvents = {
  /** Orders were added, changed or removed, or their notes were. */
  orders: 'orders',
  /** The pharmacy itself was changed, for example its name or its features. */
  pharmacy: 'pharmacy',
  /** Public data was changed: the offers, their categories, or the pharmacy itself. */
  offers: 'offers',
  /** Customers with priority access arrived, were called or changed otherwise. */
  priority: 'priority',
  /** Customers have written over WhatsApp, or the staff have read it or made orders of it. */
  whatsapp: 'whatsapp',
  /** The notice to all pharmacies was changed. */
  notice: 'notice',
  /** Events may have been missed: the client reads everything again. */
  missed: 'missed',
} as const

/** The `apikey` that clients of the Realtime protocol must send. It identifies the product and grants no access. */
export const REALTIME_API_KEY = 'bancone'
