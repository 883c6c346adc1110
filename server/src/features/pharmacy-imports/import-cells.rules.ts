import { Feature } from '@bancone/contract/access'
import { PlanEnd } from '@bancone/contract/admin-pharmacies'
import type { Day } from '@bancone/contract/dates'
import { featureNames } from '@bancone/contract/feature-names'
import { ImportField, importHeadings, type RowProblem } from '@bancone/contract/pharmacy-imports'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'

/** The cells of a row that are not empty. */
export type Cells = Partial<Record<ImportField, string>>

/** Without accents, case and repeated spaces. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()
}

const headings = new Map(
  ImportField.options.flatMap((field) => [
    [plain(importHeadings[field]), field] as const,
    [plain(field), field] as const,
  ]),
)

/** The field of a column, by its heading or by its own name. */
export function fieldOf(heading: string): ImportField | undefined {
  return headings.get(plain(heading))
}

export function isSameHeading(heading: string, other: string): boolean {
  return plain(heading) === plain(other)
}

const YES: ReadonlySet<string> = new Set(['si', 's', 'yes', 'y', 'true', 'vero', '1', 'x'])
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', 'falso', '0'])

/** A cell that has no value of its field. */
class CellError extends Error {}

function yesOrNo(text: string): boolean {
  const word = plain(text)
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw new CellError('Scrivi sì oppure no.')
}

/** Whether the orders come from the database instead of Airtable, in the words of the list. */
function isFromDatabase(text: string): boolean {
  const word = plain(text)
  if (word === 'supabase') return true
  if (word === 'airtable') return false
  throw new CellError('Scrivi Supabase oppure Airtable.')
}

function limit(text: string): number | null {
  const word = plain(text)
  if (/^illimitat[aeio]$/.test(word)) return null
  if (/^-\s*\d+$/.test(word)) {
    throw new CellError('Il numero massimo di offerte non può essere negativo')
  }
  if (!/^\d{1,9}$/.test(word)) throw new CellError('Scrivi un numero intero, oppure illimitate.')
  return Number(word)
}

/** As `2026-12-31`, or as Excel shows it: `31/12/2026`. */
function day(text: string): Day {
  const [, date = '', month = '', year = ''] =
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? []
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const parsed = PlanEnd.safeParse(iso)
  if (!parsed.success) throw new CellError('La data non è valida: scrivila come 31/12/2026.')
  return parsed.data
}

const features = new Map(
  Feature.options.flatMap((id) => [
    [plain(id), id],
    [plain(featureNames[id]), id],
  ]),
)

function featureList(text: string): Feature[] {
  if (/^nessun[ao]$/.test(plain(text))) return []
  return text
    .split(/[,;|\n]/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const id = features.get(plain(part))
      if (!id) throw new CellError(`Funzionalità sconosciuta: «${part.trim()}».`)
      return id
    })
}

function planNamed(text: string, plans: readonly SubscriptionPlan[]): string {
  const plan = plans.find(({ name }) => plain(name) === plain(text))
  if (!plan) throw new CellError(`Non c'è un piano di nome «${text}».`)
  return plan.id
}

export type Values = ReturnType<typeof valuesOf>['values']

/** The values of the cells; undefined stands for an empty one. Of a cell without a value there is a problem instead. */
export function valuesOf(cells: Cells, plans: readonly SubscriptionPlan[]) {
  const problems: RowProblem[] = []
  function read<T>(field: ImportField, convert: (text: string) => T): T | undefined {
    const text = cells[field]
    if (text === undefined) return undefined
    try {
      return convert(text)
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      problems.push({ field, text: error.message })
      return undefined
    }
  }
  const { pharmacy_id, name, email, phone, address, logo_url } = cells
  const { airtable_base_id, airtable_table_id } = cells
  const texts = { pharmacy_id, name, email, phone, address, logo_url }
  const values = {
    ...texts,
    airtable_base_id,
    airtable_table_id,
    subscription_plan_id: read('subscription_plan_id', (text) => planNamed(text, plans)),
    plan_valid_until: read('plan_valid_until', day),
    max_offers: read('max_offers', limit),
    features_enabled: read('features_enabled', featureList),
    is_active: read('is_active', yesOrNo),
    use_supabase_orders: read('use_supabase_orders', isFromDatabase),
  }
  return { values, problems }
}
