import { z } from 'zod/mini'
import { parseUrl } from '../../lib/parse-url.ts'

/** The ids of the account and the number that were chosen in Meta's window. */
export type SignupIds = { wabaId?: string; phoneNumberId?: string }

/**
 * What Meta's window tells the page.
 * - `finished`: what was chosen; the code comes by the script
 * - `cancelled`: the step at which the person gave up; null when Meta does not say
 * - `reported`: the person reported an error
 */
export type SignupMessage =
  | { kind: 'finished'; ids: SignupIds }
  | { kind: 'cancelled'; step: string | null }
  | { kind: 'reported' }

/** Also as a number, where JavaScript can hold it. */
const Id = z.catch(
  z.optional(
    z.union([
      z.string().check(z.regex(/^\d{1,30}$/)),
      z.pipe(z.int().check(z.positive()), z.transform(String)),
    ]),
  ),
  undefined,
)
const Ids = z.catch(z.array(Id), [])

const Message = z.object({
  type: z.literal('WA_EMBEDDED_SIGNUP'),
  event: z.string(),
  data: z.catch(
    z.object({
      waba_id: Id,
      phone_number_id: Id,
      // Lists of later versions. `primary_waac_ids` are ids of something else: the server asks Meta for the account.
      waba_ids: Ids,
      phone_number_ids: Ids,
      current_step: z.catch(z.optional(z.string()), undefined),
      error_message: z.catch(z.optional(z.string()), undefined),
    }),
    { waba_ids: [], phone_number_ids: [] },
  ),
})

/** Whether a message comes from Meta. @param otherOrigin the origin of a stand-in, in place of Meta's */
export function isOfMeta(origin: string, otherOrigin: string | null): boolean {
  if (otherOrigin !== null) return origin === otherOrigin
  const url = parseUrl(origin)
  if (!url) return false
  // The whole name: `https://evilfacebook.com` ends with the same letters.
  const { protocol, hostname } = url
  return (
    protocol === 'https:' && (hostname === 'facebook.com' || hostname.endsWith('.facebook.com'))
  )
}

/** The message of Meta's window; null for any other message. The data may be a text. */
export function readSignupMessage(
  { origin, data }: Pick<MessageEvent<unknown>, 'origin' | 'data'>,
  otherOrigin: string | null,
): SignupMessage | null {
  if (!isOfMeta(origin, otherOrigin)) return null
  const message = Message.safeParse(typeof data === 'string' ? jsonOf(data) : data).data
  if (!message) return null
  const { event, data: told } = message
  if (event.startsWith('FINISH')) {
    const { waba_ids: accounts, phone_number_ids: numbers } = told
    const wabaId = told.waba_id ?? accounts.find((id) => id !== undefined)
    const phoneNumberId = told.phone_number_id ?? numbers.find((id) => id !== undefined)
    return {
      kind: 'finished',
      ids: { ...(wabaId && { wabaId }), ...(phoneNumberId && { phoneNumberId }) },
    }
  }
  if (event === 'ERROR' || told.error_message !== undefined) return { kind: 'reported' }
  return event === 'CANCEL' ? { kind: 'cancelled', step: told.current_step ?? null } : null
}

function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    return null
  }
}
