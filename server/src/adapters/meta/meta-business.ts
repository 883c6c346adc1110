import { z } from 'zod'
import type { NewTemplate, OutgoingMessage } from '../../ports/whatsapp-business.ts'
import { type WhatsAppBusiness, WhatsAppBusinessError } from '../../ports/whatsapp-business.ts'
import { createGraphClient, type GraphOptions } from './graph-client.ts'

const LANGUAGE = 'it'

const texts = (values: readonly string[]) => values.map((text) => ({ type: 'text', text }))

/** The body of the request that creates a template. Its category is not to be changed by Meta. */
function templateBody({ name, body, samples, button }: NewTemplate): object {
  return {
    name,
    language: LANGUAGE,
    category: 'UTILITY',
    allow_category_change: false,
    components: [
      { type: 'BODY', text: body, example: { body_text: [samples] } },
      ...(button
        ? [
            {
              type: 'BUTTONS',
              buttons: [
                {
                  type: 'URL',
                  text: button.label,
                  url: `${button.url}{{1}}`,
                  example: [button.url + button.sample],
                },
              ],
            },
          ]
        : []),
    ],
  }
}

/** The body of the request that sends a message. A person whose number is hidden is named by the user id. */
function messageBody({ reference, phone, userId, content }: OutgoingMessage): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(phone === null ? { recipient: userId } : { to: phone.replace('+', '') }),
    biz_opaque_callback_data: reference,
    ...('text' in content
      ? { type: 'text', text: { body: content.text, preview_url: false } }
      : { type: 'template', template: templateOf(content) }),
  }
}

function templateOf(content: Extract<OutgoingMessage['content'], { template: string }>): object {
  const { template: name, values, buttonValue } = content
  return {
    name,
    language: { code: LANGUAGE },
    components: [
      { type: 'body', parameters: texts(values) },
      ...(buttonValue === undefined
        ? []
        : [{ type: 'button', sub_type: 'url', index: '0', parameters: texts([buttonValue]) }]),
    ],
  }
}

const Text = z.string().nullish().catch(null)

const Token = z.object({ access_token: z.string().min(1) })

const Debugged = z.object({
  data: z.object({
    app_id: z.string().optional(),
    is_valid: z.boolean().catch(false),
    user_id: z.coerce.string().optional(),
    /** Seconds since 1970; 0: never. */
    expires_at: z.number().catch(0),
    scopes: z.array(z.string()).catch([]),
    granular_scopes: z
      .array(z.object({ scope: z.string(), target_ids: z.array(z.string()).optional() }))
      .catch([]),
  }),
})

const Account = z.object({
  id: z.string(),
  name: Text,
  owner_business_info: z.object({ name: Text }).nullish().catch(null),
})

const NumberFields = z.object({
  id: z.string(),
  display_phone_number: Text,
  verified_name: Text,
  code_verification_status: Text,
})

const Health = NumberFields.extend({
  quality_rating: Text,
  whatsapp_business_manager_messaging_limit: Text,
  status: Text,
  name_status: Text,
  platform_type: Text,
  throughput: z.object({ level: Text }).nullish().catch(null),
  is_on_biz_app: z.boolean().nullish().catch(false),
})

const Template = z.object({
  status: z.string().catch('PENDING'),
  category: z.string().catch('UTILITY'),
  language: z.string().optional().catch(undefined),
})

const Accepted = z.object({ messages: z.tuple([z.object({ id: z.string().min(1) })]) })

const Success = z.object({ success: z.literal(true) })

/** The scope whose targets are the accounts. */
const MANAGEMENT = 'whatsapp_business_management'

function numberOf(number: z.output<typeof NumberFields>) {
  return {
    id: number.id,
    displayPhoneNumber: number.display_phone_number ?? null,
    verifiedName: number.verified_name ?? null,
    verification: number.code_verification_status ?? null,
  }
}

/** The credentials of the application were refused, which says nothing about the inspected token. */
function asRefused(error: unknown): never {
  if (error instanceof WhatsAppBusinessError && error.kind === 'expired')
    throw new WhatsAppBusinessError('refused', error.message)
  throw error
}

/** WhatsApp Business by Meta's Graph API. */
export function createMetaBusiness(options: GraphOptions): WhatsAppBusiness {
  const send = createGraphClient(options)
  const { appId, appSecret } = options

  return {
    async exchange(code) {
      // Without redirect_uri: codes of the JavaScript SDK have none, and an empty one is refused.
      const query = { client_id: appId, client_secret: appSecret, code }
      const found = await send({ path: 'oauth/access_token', query, response: Token })
      return found.access_token
    },

    async inspect(token) {
      const query = { input_token: token, access_token: `${appId}|${appSecret}` }
      const { data } = await send({ path: 'debug_token', query, response: Debugged }).catch(
        asRefused,
      )
      const targets = data.granular_scopes.find(({ scope }) => scope === MANAGEMENT)?.target_ids
      return {
        // The token of another application could do nothing with this one's events.
        isValid: data.is_valid && (data.app_id === undefined || data.app_id === appId),
        userId: data.user_id ?? null,
        expiresAt: data.expires_at > 0 ? new Date(data.expires_at * 1_000).toISOString() : null,
        scopes: [...new Set([...data.scopes, ...data.granular_scopes.map(({ scope }) => scope)])],
        accountIds: targets ?? [],
      }
    },

    async account(token, accountId) {
      const query = { fields: 'id,name,owner_business_info' }
      const found = await send({ path: accountId, query, token, response: Account })
      return {
        id: found.id,
        name: found.name ?? null,
        ownerName: found.owner_business_info?.name ?? null,
      }
    },

    async numbers(token, accountId) {
      const { data } = await send({
        path: `${accountId}/phone_numbers`,
        query: { fields: 'id,display_phone_number,verified_name,code_verification_status' },
        token,
        response: z.object({ data: z.array(NumberFields) }),
      })
      return data.map(numberOf)
    },

    async health(token, numberId) {
      const fields = Object.keys(Health.shape).join(',')
      const found = await send({ path: numberId, query: { fields }, token, response: Health })
      return {
        ...numberOf(found),
        quality: found.quality_rating ?? null,
        messagingLimit: found.whatsapp_business_manager_messaging_limit ?? null,
        status: found.status ?? null,
        nameStatus: found.name_status ?? null,
        platform: found.platform_type ?? null,
        throughput: found.throughput?.level ?? null,
        isOnBusinessApp: found.is_on_biz_app === true,
      }
    },

    async register(token, numberId, pin) {
      const body = { messaging_product: 'whatsapp', pin }
      await send({ method: 'POST', path: `${numberId}/register`, body, token, response: Success })
    },

    async subscribe(token, accountId, { url, verifyToken }) {
      const path = `${accountId}/subscribed_apps`
      // In two calls: Meta refuses an address of its own for an application that is not subscribed yet.
      await send({ method: 'POST', path, token, response: Success })
      const body = { override_callback_uri: url, verify_token: verifyToken }
      await send({ method: 'POST', path, body, token, response: Success })
    },

    async unsubscribe(token, accountId) {
      const path = `${accountId}/subscribed_apps`
      await send({ method: 'DELETE', path, token, response: Success })
    },

    async templates(token, accountId) {
      const query = { fields: 'name,status,category,language', limit: '200' }
      const response = z.object({ data: z.array(Template.extend({ name: z.string() })) })
      const path = `${accountId}/message_templates`
      const { data } = await send({ path, query, token, response })
      return data
        .filter(({ language }) => language === undefined || language === LANGUAGE)
        .map(({ name, status, category }) => ({ name, status, category }))
    },

    async createTemplate(token, accountId, template) {
      const path = `${accountId}/message_templates`
      const body = templateBody(template)
      const made = await send({ method: 'POST', path, token, body, response: Template })
      return { name: template.name, status: made.status, category: made.category }
    },

    async send(token, numberId, message) {
      const path = `${numberId}/messages`
      const body = messageBody(message)
      const { messages } = await send({ method: 'POST', path, token, body, response: Accepted })
      return messages[0].id
    },

    async check(signal) {
      const token = `${appId}|${appSecret}`
      const query = { input_token: token, access_token: token }
      await send({ path: 'debug_token', query, response: Debugged, signal })
    },
  }
}
