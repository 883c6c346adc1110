import { normalizeDisplayName } from '@bancone/contract/display-name'
import { z } from 'zod'

/** Texts that the database stores as they are, and in an index. */
const Id = z.string().min(1).max(300)
const Timestamp = z.coerce.number().int().min(0).max(4_102_444_800)

export const Envelope = z.object({
  entry: z
    .array(
      z.object({
        id: z.coerce.string(),
        changes: z.array(z.object({ field: z.string(), value: z.unknown() })).default([]),
      }),
    )
    .default([]),
})

const Contact = z.object({
  profile: z
    .object({ name: z.string().max(200).optional() })
    .optional()
    .catch(undefined),
  wa_id: z.string().optional(),
  user_id: Id.optional(),
})

/** What it says is under the name of its type: `message-content.ts`. */
export const Message = z.looseObject({
  id: Id,
  timestamp: Timestamp,
  type: z.string().catch('unknown'),
  from: z.string().optional(),
  from_user_id: Id.optional(),
  system: z
    .object({
      type: z.string(),
      wa_id: z.string().optional(),
      /** The name of `wa_id` in older webhooks. */
      new_wa_id: z.string().optional(),
      user_id: Id.optional(),
      previous_user_id: Id.optional(),
      body: z.string().optional(),
    })
    .optional()
    .catch(undefined),
})
export type Message = z.output<typeof Message>

/** A message that the pharmacy has written in the WhatsApp Business app. */
export const Echo = z.looseObject({
  id: Id,
  timestamp: Timestamp,
  type: z.string().catch('unknown'),
  to: z.string().optional(),
  to_user_id: Id.optional(),
})
export type Echo = z.output<typeof Echo>

export const Status = z.object({
  id: Id,
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  timestamp: Timestamp,
  /** Ours, if the message had one. */
  biz_opaque_callback_data: z.uuid().optional().catch(undefined),
  errors: z
    .array(z.object({ code: z.number().int() }))
    .optional()
    .catch(undefined),
})

/** The value of events about a number. Items that are not readable are left out, and do not hide the others. */
export const NumberValue = z.object({
  metadata: z.object({ phone_number_id: Id }),
  contacts: z.array(Contact.or(z.null().catch(null))).catch([]),
  messages: z.array(Message.or(z.null().catch(null))).catch([]),
  message_echoes: z.array(Echo.or(z.null().catch(null))).catch([]),
  statuses: z.array(Status.or(z.null().catch(null))).catch([]),
  user_id_update: z
    .array(z.object({ user_id: z.object({ previous: Id, current: Id }) }).or(z.null().catch(null)))
    .catch([]),
})
export type NumberValue = z.output<typeof NumberValue>

export const AccountUpdate = z.object({
  event: z.string(),
  waba_info: z.object({ waba_id: z.coerce.string() }).optional().catch(undefined),
})

/** The E.164 number in a `wa_id` or `from`, which may hold another id. */
export function phoneOf(text: string | undefined): string | null {
  return text !== undefined && /^\+?\d{6,15}$/.test(text) ? `+${text.replace('+', '')}` : null
}

/**
 * Who sent a message, or got it. Null when the webhook does not say.
 * @param named the ids in the message
 */
export function personOf(
  named: { phone: string | undefined; userId: string | undefined },
  contacts: NumberValue['contacts'],
) {
  const known = contacts.filter((contact) => contact !== null)
  const contact =
    known.find(
      ({ user_id: userId, wa_id: waId }) =>
        (userId !== undefined && userId === named.userId) ||
        (waId !== undefined && waId === named.phone),
    ) ?? (known.length === 1 ? known[0] : undefined)
  const userId = named.userId ?? contact?.user_id ?? null
  const phone = phoneOf(named.phone) ?? phoneOf(contact?.wa_id)
  if (userId === null && phone === null) return null
  return { userId, phone, name: normalizeDisplayName(contact?.profile?.name ?? '') || null }
}

export const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString()
