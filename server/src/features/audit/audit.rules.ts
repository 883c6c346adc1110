import type { AuditChange } from '@bancone/contract/audit'
import { featureNames } from '@bancone/contract/feature-names'
import { z } from 'zod'

const Changes = z
  .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }).nullable())
  .nullable()
  .catch(null)

const FEATURE_FIELDS: ReadonlySet<string> = new Set(['features', 'features_enabled'])
const featureTexts: ReadonlyMap<unknown, string> = new Map(Object.entries(featureNames))

/** The changes of a row of the audit log, by field. @param stored the column `changes` */
export function shownChanges(stored: unknown): AuditChange[] {
  return Object.entries(Changes.parse(stored) ?? {}).map(([field, values]) => ({
    field,
    before: valueText(named(field, values?.before)),
    after: valueText(named(field, values?.after)),
    isWithheld: values === null,
  }))
}

const Details = z.record(z.string(), z.unknown()).catch({})

/** The other recorded values of a row. The code of a refusal is shown by itself. @param stored the column `details` */
export function shownDetails(stored: unknown): {
  refusal: string | null
  details: { name: string; value: string }[]
} {
  const { code, ...others } = Details.parse(stored)
  // Offers have a code, too.
  const isRefusal = typeof code === 'string' && /^[a-z_]+\.[a-z_]+$/.test(code)
  const values = isRefusal ? others : { ...others, ...(code !== undefined && { code }) }
  const details = Object.entries(values).flatMap(([name, value]) => {
    const text = valueText(value)
    return text === null ? [] : [{ name, value: text }]
  })
  return { refusal: isRefusal ? code : null, details }
}

/** Features by their names. */
function named(field: string, value: unknown): unknown {
  if (!FEATURE_FIELDS.has(field) || !Array.isArray(value)) return value
  return value.map((id: unknown) => featureTexts.get(id) ?? id)
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 'sì' : 'no'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item) => valueText(item) ?? '').join(', ')
  return JSON.stringify(value)
}
