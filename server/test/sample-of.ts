import { randomUUID } from 'node:crypto'
import { z } from 'zod'

/** Values by the names of their fields; also for lists of them: `recordId` for `recordIds`. */
type Named = Readonly<Record<string, string | undefined>>

let made = 0

/**
 * A value that the schema accepts: as little as possible, or the optional fields too where that is none or nothing.
 *
 * @param text of every free text
 */
export function sampleOf(schema: z.core.$ZodType, named: Named, text: string): unknown {
  made += 1
  const least = sample(schema, '', { named, text: `${text} ${made}`, isWhole: false })
  const isEmpty = typeof least === 'object' && least !== null && Object.keys(least).length === 0
  if (z.safeParse(schema, least).success && !isEmpty) return least
  const whole = sample(schema, '', { named, text: `${text} ${made}`, isWhole: true })
  return z.safeParse(schema, whole).success ? whole : least
}

type Wanted = { named: Named; text: string; isWhole: boolean }

function sample(schema: z.core.$ZodType, name: string, wanted: Wanted): unknown {
  const known = wanted.named[name]
  if (known !== undefined) return known
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') {
    const fields = Object.entries(def.shape).map(
      ([field, part]) => [field, sample(part, field, wanted)] as const,
    )
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  if (def.type === 'array') return [sample(def.element, name.replace(/s$/, ''), wanted)]
  if (def.type === 'optional')
    return wanted.isWhole ? sample(def.innerType, name, wanted) : undefined
  if (def.type === 'pipe') return sample(def.in, name, wanted)
  if (def.type === 'union') return def.options[0] && sample(def.options[0], name, wanted)
  const values =
    def.type === 'enum'
      ? Object.values(def.entries)
      : def.type === 'literal'
        ? def.values
        : plainValues(wanted.text)
  return values.find((value) => z.safeParse(schema, value).success)
}

const plainValues = (text: string) => [
  null,
  text,
  '2026-01-01',
  randomUUID(),
  `${made}@example.it`,
  'https://localhost/a.png',
  1,
  false,
]
