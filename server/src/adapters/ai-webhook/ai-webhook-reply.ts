import { z } from 'zod'
import type { AssistantReply } from '../../ports/product-assistant.ts'

const Item = z.record(z.string(), z.unknown())

/** Its numbers have a point before the decimals, which in a text would be one between thousands. */
const Said = z
  .union([z.string(), z.number().transform((number) => String(number).replace('.', ','))])
  .transform((text) => text.trim() || null)
  .catch(null)

/**
 * What a workflow answers: `Descrizione`, `Prezzo` and `Minsan`, or an `output` that holds them as JSON, or
 * that is the description; each also as the one item of a list, as n8n gives it, or as plain text.
 *
 * @returns undefined when it is none of these
 */
export function readReply(
  contentType: string | undefined,
  body: Uint8Array,
): AssistantReply | undefined {
  const text = decode(body)
  if (text === undefined) return undefined
  const json = parseJson(text)
  if (json !== undefined) return ofValue(json)
  // What says that it is JSON, or a page of HTML, and is not one of the above, is a failure.
  return /^text\/(?:plain|markdown)\b/i.test(contentType ?? '') ? ofText(text) : undefined
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body).trim()
  } catch {
    return undefined
  }
}

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    return undefined
  }
}

function ofValue(value: unknown): AssistantReply | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof only === 'string') return ofText(only)
  const item = Item.safeParse(only)
  if (!item.success) return undefined
  const { output } = item.data
  return ofFields(item.data) ?? (typeof output === 'string' ? ofText(output) : ofItem(output))
}

/** JSON, by itself or between the fences that models like to put around it; else a description. */
function ofText(text: string): AssistantReply | undefined {
  const inner = unfenced(text.trim())
  const json = parseJson(inner)
  if (json !== undefined && typeof json !== 'string') return ofItem(json)
  const description = typeof json === 'string' ? json.trim() : inner
  // Broken JSON is no description of anything.
  if (description === '' || /^(?:[{[]|```)/.test(description)) return undefined
  return { description, price: null, minsan: null }
}

/** Not by a regular expression: what it would try on a long text without an end is a lot. */
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

function ofItem(value: unknown): AssistantReply | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const item = Item.safeParse(only)
  return item.success ? ofFields(item.data) : undefined
}

/** Whatever the case of their names: a model does not always keep to it. */
function ofFields(item: Record<string, unknown>): AssistantReply | undefined {
  const byName = new Map(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]))
  const reply = {
    description: Said.parse(byName.get('descrizione')),
    price: Said.parse(byName.get('prezzo')),
    minsan: Said.parse(byName.get('minsan')),
  }
  return Object.values(reply).some((said) => said !== null) ? reply : undefined
}
