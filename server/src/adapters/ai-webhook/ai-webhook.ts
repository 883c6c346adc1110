import { setTimeout as pause } from 'node:timers/promises'
import { wellFormedJson, wellFormedText } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import { type Outbound, OutboundError, type OutboundResponse } from '../../ports/outbound.ts'
import {
  AssistantError,
  type AssistantReply,
  type ProductAssistant,
} from '../../ports/product-assistant.ts'

const Item = z.record(z.string(), z.unknown())

/** JSON numbers have a decimal point, which in an Italian text would be a thousands separator. */
const Said = z
  .union([z.string(), z.number().transform((number) => String(number).replace('.', ','))])
  .transform((text) => text.trim() || null)
  .catch(null)

/**
 * Parses the response of a workflow: an object with `Descrizione`, `Prezzo` and `Minsan`; or an object whose `output` is
 * such an object as JSON, or the description. Both may be the only item of a list (as n8n returns them), or plain text.
 *
 * @returns undefined for any other response
 */
export function readReply(
  contentType: string | undefined,
  body: Uint8Array,
): AssistantReply | undefined {
  const text = decode(body)
  if (text === undefined) return undefined
  const json = parseJson(text)
  if (json !== undefined) return ofValue(json)
  // Other responses with the type JSON or HTML are failures.
  return /^text\/(?:plain|markdown)\b/i.test(contentType ?? '') ? parseText(text) : undefined
}

function decode(body: Uint8Array): string | undefined {
  try {
    return wellFormedText(new TextDecoder('utf-8', { fatal: true }).decode(body)).trim()
  } catch {
    return undefined
  }
}

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(text))
    return json
  } catch {
    return undefined
  }
}

function ofValue(value: unknown): AssistantReply | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof only === 'string') return parseText(only)
  const item = Item.safeParse(only)
  if (!item.success) return undefined
  const { output } = item.data
  return (
    parseFields(item.data) ?? (typeof output === 'string' ? parseText(output) : parseItem(output))
  )
}

/** JSON, possibly inside a Markdown code fence; any other text is the description. */
function parseText(text: string): AssistantReply | undefined {
  const inner = unfenced(text.trim())
  const json = parseJson(inner)
  if (json !== undefined && typeof json !== 'string') return parseItem(json)
  const description = typeof json === 'string' ? json.trim() : inner
  // Invalid JSON is not a description.
  if (description === '' || /^(?:[{[]|```)/.test(description)) return undefined
  return { description, price: null, minsan: null }
}

/** Without a regular expression, which would backtrack heavily on a long text without a closing fence. */
function unfenced(text: string): string {
  const start = text.indexOf('```')
  const end = text.indexOf('```', start + 3)
  if (start < 0 || end < 0) return text
  const inner = text
    .slice(start + 3, end)
    .replace(/^json/i, '')
    .trim()
  return inner.startsWith('{') || inner.startsWith('[') ? inner : text
}

function parseItem(value: unknown): AssistantReply | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const item = Item.safeParse(only)
  return item.success ? parseFields(item.data) : undefined
}

/** Reads a field case-insensitively, because models do not always keep the case. */
function parseFields(item: Record<string, unknown>): AssistantReply | undefined {
  const byName = new Map(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]))
  const reply = {
    description: Said.parse(byName.get('descrizione')),
    price: Said.parse(byName.get('prezzo')),
    minsan: Said.parse(byName.get('minsan')),
  }
  return Object.values(reply).some((said) => said !== null) ? reply : undefined
}

export type AiWebhookOptions = {
  /** The URL of the webhook. Its user name and password are sent as Basic authentication. */
  url: string
  fetch: Outbound['fetch']
  /** Time limit in milliseconds, including the second attempt. */
  timeLimitMs?: number
  /** Milliseconds before the second attempt. */
  retryMs?: number
}

/** The largest response in bytes. */
const SIZE_LIMIT = 256 * 1024

/** A product assistant behind a webhook, for example a workflow of n8n. */
export function createAiWebhook(options: AiWebhookOptions): ProductAssistant {
  const { fetch, timeLimitMs = 30_000, retryMs = 300 } = options
  const { address, authorization } = placeOf(options.url)

  return {
    async draft({ productName, pharmacyId, category }, signal) {
      const body = Buffer.from(JSON.stringify({ productName, pharmacyId, category }))
      const end = performance.now() + timeLimitMs
      const send = () =>
        fetch(address, {
          method: 'POST',
          headers: {
            Accept: 'application/json, text/plain;q=0.5',
            'Content-Type': 'application/json',
            ...(authorization && { Authorization: authorization }),
          },
          body,
          timeLimitMs: Math.max(1, Math.ceil(end - performance.now())),
          sizeLimit: SIZE_LIMIT,
          signal,
        })
      const sendAgain = async (error: unknown) => {
        if (!isLost(error)) throw error
        await pause(retryMs, undefined, { signal })
        return send()
      }
      try {
        return answerOf(await send().catch(sendAgain))
      } catch (error) {
        signal?.throwIfAborted()
        throw error instanceof OutboundError ? asAssistantError(error) : error
      }
    },
  }
}

/** Removes the credentials from the URL and returns them as a header. */
function placeOf(text: string): { address: string; authorization: string | undefined } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = login === ':' ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
  return { address: url.href, authorization }
}

/** Whether the request can be repeated: once a response has begun, the workflow has run. */
function isLost(error: unknown): boolean {
  return (
    error instanceof OutboundError && error.kind === 'unreachable' && error.status === undefined
  )
}

function answerOf({ status, headers, body }: OutboundResponse) {
  if (status < 200 || status > 299) throw refusal(status)
  const reply = readReply(headers['content-type'], body)
  if (!reply) throw new AssistantError('unreadable', 'the answer is not one of the known forms')
  return reply
}

function refusal(status: number): AssistantError {
  return new AssistantError('status', `the webhook answered ${status}`, { status })
}

function asAssistantError(error: OutboundError): AssistantError {
  const { kind, status, message } = error
  if (kind === 'status' && status !== undefined) return refusal(status)
  const cause = { cause: error }
  if (kind === 'timeout') return new AssistantError('timeout', message, cause)
  if (kind === 'too_large') return new AssistantError('unreadable', message, cause)
  return new AssistantError('unreachable', message, cause)
}
