/** What a change concerns, by its fields as they are stored. */
export type AuditedFields = Readonly<Record<string, unknown>>

/** Per field the values before and after; null where they must not be stored. */
export type AuditChanges = Record<string, { before: unknown; after: unknown } | null>

/** Fields of which the log states only that they changed: secrets, personal data, texts about orders. */
const WITHHELD =
  /pass(word|phrase)|secret|token|hash|\bkey\b|pin$|e-?mail|phone|telefono|whatsapp|address|indirizzo|customer|cliente|user_?name|person|note|text|search|agent/i

/** Fields of pharmacies, colleagues, keys and views that name people. Other things, such as plans, have public names. */
const NAME = /^(display_?)?name$|^nome$/i
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['plan', 'category', 'offer'])

/** Longer values, as JSON, are not stored. */
const MAX_VALUE_LENGTH = 300

/**
 * The fields that differ.
 *
 * @param type of the target: `plan`, `offer`, …
 * @param before undefined for what is created
 * @param after undefined for what is removed
 */
export function auditChanges(
  type: string,
  before: AuditedFields | undefined,
  after: AuditedFields | undefined,
): AuditChanges {
  const changes: AuditChanges = {}
  for (const field of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [old = null, now = null] = [before?.[field], after?.[field]]
    const texts = [JSON.stringify(old), JSON.stringify(now)]
    if (texts[0] === texts[1]) continue
    const isWithheld =
      WITHHELD.test(field) ||
      (NAME.test(field) && !PUBLIC_NAMES.has(type)) ||
      texts.some((text) => text.length > MAX_VALUE_LENGTH)
    changes[field] = isWithheld ? null : { before: old, after: now }
  }
  return changes
}
