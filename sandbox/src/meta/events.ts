import { createHmac } from 'node:crypto'

/** The header `X-Hub-Signature-256` of a webhook with that body. */
export function webhookSignature(appSecret: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/** A `signed_request` as Meta posts it when a person removes the application. */
export function signedRequest(appSecret: string, payload: object): string {
  const data = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${createHmac('sha256', appSecret).update(data).digest('base64url')}.${data}`
}

type Place = { accountId: string; numberId: string }

const entry = (accountId: string, field: string, value: object) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: accountId, changes: [{ field, value }] }],
})

const ofNumber = ({ accountId, numberId }: Place, value: object, field = 'messages') =>
  entry(accountId, field, {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '390415201234', phone_number_id: numberId },
    ...value,
  })

type Sender = { userId?: string; phone?: string; name?: string }

const contactOf = ({ userId, phone, name = 'Anna' }: Sender) => ({
  profile: { name },
  ...(userId && { user_id: userId }),
  ...(phone && { wa_id: phone }),
})

const fromOf = ({ userId, phone }: Sender) => ({
  ...(phone && { from: phone }),
  ...(userId && { from_user_id: userId }),
})

type Told = { id: string; timestamp?: number }

/** The webhooks that Meta sends. Times are seconds since 1970. */
export const metaEvents = {
  text: (place: Place, sender: Sender, { id, timestamp = 1_780_000_000 }: Told, body = 'Ciao') =>
    ofNumber(place, {
      contacts: [contactOf(sender)],
      messages: [
        { ...fromOf(sender), id, timestamp: String(timestamp), type: 'text', text: { body } },
      ],
    }),

  /** Something else than a text: its content is under the name of its type. */
  message: (
    place: Place,
    sender: Sender,
    { id, timestamp = 1_780_000_000 }: Told,
    type: string,
    content?: unknown,
  ) =>
    ofNumber(place, {
      contacts: [contactOf(sender)],
      messages: [
        {
          ...fromOf(sender),
          id,
          timestamp: String(timestamp),
          type,
          ...(content !== undefined && { [type]: content }),
        },
      ],
    }),

  /** The pharmacy has written in the WhatsApp Business app. */
  echo: (place: Place, to: Sender, { id, timestamp = 1_780_000_000 }: Told, body: string) =>
    ofNumber(
      place,
      {
        message_echoes: [
          {
            from: '390415201234',
            ...(to.phone && { to: to.phone }),
            ...(to.userId && { to_user_id: to.userId }),
            id,
            timestamp: String(timestamp),
            type: 'text',
            text: { body },
          },
        ],
      },
      'smb_message_echoes',
    ),

  status: (
    place: Place,
    status: 'sent' | 'delivered' | 'read' | 'failed',
    { id, timestamp = 1_780_000_000 }: Told,
    errorCode?: number,
    reference?: string,
  ) =>
    ofNumber(place, {
      statuses: [
        {
          id,
          status,
          timestamp: String(timestamp),
          recipient_id: '393331234567',
          ...(reference && { biz_opaque_callback_data: reference }),
          ...(errorCode && { errors: [{ code: errorCode, title: 'Error' }] }),
        },
      ],
    }),

  /** The sender has another number or another id. */
  changed: (
    place: Place,
    type: 'user_changed_number' | 'user_changed_user_id',
    sender: Sender,
    now: { userId?: string; phone?: string },
    { id, timestamp = 1_780_000_000 }: Told,
  ) =>
    ofNumber(place, {
      messages: [
        {
          ...fromOf(sender),
          id,
          timestamp: String(timestamp),
          type: 'system',
          system: {
            type,
            body: 'Anna changed',
            ...(now.phone && { wa_id: now.phone }),
            ...(now.userId && { user_id: now.userId, previous_user_id: sender.userId }),
          },
        },
      ],
    }),

  /** The other webhook about a changed id. */
  userIdUpdate: (place: Place, previous: string, current: string) =>
    ofNumber(place, { user_id_update: [{ user_id: { previous, current } }] }, 'user_id_update'),

  account: (accountId: string, event: string) =>
    entry(accountId, 'account_update', { event, waba_info: { waba_id: accountId } }),

  /** Another event about the account or its numbers, for example `phone_number_quality_update`. */
  other: (accountId: string, field: string, value: object = {}) => entry(accountId, field, value),
}
