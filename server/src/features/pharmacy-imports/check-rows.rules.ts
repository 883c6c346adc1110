import type { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import type { RowProblem } from '@bancone/contract/pharmacy-imports'
import type { FileRow } from './import-file.ts'
import { type Decision, decide, type Known } from './import-rows.rules.ts'
import type { Judgement } from './pharmacy-imports.store.ts'

/**
 * What each row of a file would do. A pharmacy is in one row only: later ones are refused. A row that gives a pharmacy the
 * table of another one says so.
 *
 * @param present all pharmacies that are not deleted
 */
export function checkRows(
  rows: readonly FileRow[],
  known: Known,
  present: readonly AdminPharmacy[],
): (FileRow & Judgement)[] {
  const lines = new Map<string, number>()
  const tables = createTables(present)
  return rows.map((row) => {
    if (row.isTooLong) return { ...row, ...judged({ outcome: 'refused', problems: [TOO_LONG] }) }
    const decision = decide(row.fields, known)
    const keys = keysOf(decision)
    const earlier = keys.map((key) => lines.get(key)).find((line) => line !== undefined)
    if (earlier !== undefined) {
      const text = `È la stessa farmacia della riga ${earlier}.`
      return { ...row, ...judged({ outcome: 'refused', problems: [{ field: null, text }] }) }
    }
    for (const key of keys) lines.set(key, row.line)
    return { ...row, ...judged(decision), ...tables.noted(decision, row.line) }
  })
}

/** Who has which table, by base and table: pharmacies, and earlier rows of the file. */
function createTables(present: readonly AdminPharmacy[]) {
  const users = new Map<string, { id: string | null; name: string }[]>()
  const use = (key: string, id: string | null, name: string) =>
    users.set(key, [...(users.get(key) ?? []), { id, name }])
  for (const pharmacy of present) {
    const key = tableOf(pharmacy)
    if (key) use(key, pharmacy.id, `${pharmacy.name} (${pharmacy.pharmacy_id})`)
  }
  return {
    noted(decision: Decision, line: number): { problems?: RowProblem[] } {
      if (decision.outcome !== 'new' && decision.outcome !== 'changed') return {}
      const id = decision.outcome === 'changed' ? decision.pharmacyId : null
      const key = tableOf(decision.fields)
      if (!key || users.get(key)?.some((user) => id !== null && user.id === id)) return {}
      const [first] = users.get(key) ?? []
      use(key, id, `riga ${line}`)
      if (!first) return {}
      const text = `È già la tabella di ${first.name}: ogni ordine deve avere in PharmaWA il nome, il codice o il telefono della sua farmacia.`
      return { problems: [{ field: 'airtable_table_id', text }] }
    },
  }
}

function tableOf(
  pharmacy: Pick<AdminPharmacy, 'airtable_base_id' | 'airtable_table_id'>,
): string | null {
  const { airtable_base_id: base, airtable_table_id: table } = pharmacy
  return base && table ? `${base} ${table}` : null
}

const TOO_LONG: RowProblem = {
  field: null,
  text: 'La riga ha più celle delle intestazioni: controlla virgolette e separatori.',
}

function keysOf(decision: Decision): string[] {
  if (decision.outcome === 'refused') return []
  if (decision.outcome !== 'new') return [decision.pharmacyId]
  const { email, pharmacy_id: code } = decision.fields
  return [email.toLowerCase(), ...(code === null ? [] : [code])]
}

/** What is stored of a decision. */
export function judged(decision: Decision): Judgement {
  return {
    outcome: decision.outcome,
    problems: decision.outcome === 'refused' ? decision.problems : [],
    changes: decision.outcome === 'changed' ? decision.differences.map(({ field }) => field) : [],
  }
}
