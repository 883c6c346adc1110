import { z } from 'zod'
import {
  WhatsAppBusinessError,
  type WhatsAppBusinessErrorKind,
} from '../../ports/whatsapp-business.ts'

const GraphErrorBody = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().catch(''),
    error_data: z
      .object({ details: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
})

const kinds = new Map<number, WhatsAppBusinessErrorKind>([
  [190, 'expired'],
  [3, 'permission'],
  [10, 'permission'],
  [368, 'restricted'],
  [130497, 'restricted'],
  [131031, 'restricted'],
  [4, 'rate'],
  [17, 'rate'],
  [80007, 'rate'],
  [80008, 'rate'],
  [130429, 'rate'],
  [131056, 'rate'],
  [133008, 'rate'],
  [133009, 'rate'],
  [133015, 'rate'],
  [133016, 'rate'],
  [133005, 'pin'],
  [133006, 'unverified'],
  // Unknown and temporary failures of Meta.
  [1, 'unreachable'],
  [2, 'unreachable'],
  [131000, 'unreachable'],
  [133004, 'unreachable'],
])

/** Meta reports a callback that it could not verify as one of many invalid parameters. */
const CALLBACK = /callback|verify|verification/i

/**
 * The error in a response of the Graph API. Only the code and the details decide: titles, subcodes and HTTP statuses
 * change. Meta's texts are left out of the error, because they may quote the request.
 */
export function graphError(status: number, body: unknown): WhatsAppBusinessError {
  const parsed = GraphErrorBody.safeParse(body)
  if (!parsed.success) {
    return new WhatsAppBusinessError('unreachable', `Meta answered ${status}`, {
      isUnsure: status >= 500,
    })
  }
  const { code, message, error_data: data } = parsed.data.error
  const text = `${data?.details ?? ''} ${message}`
  const kind = kinds.get(code) ?? kindOf(code, text)
  return new WhatsAppBusinessError(kind, `Meta answered ${status} with code ${code}`, {
    graphCode: code,
  })
}

function kindOf(code: number, text: string): WhatsAppBusinessErrorKind {
  if (code >= 200 && code <= 299) return 'permission'
  return code === 2200 || (code === 100 && CALLBACK.test(text)) ? 'callback' : 'refused'
}
