import type { RowProblem } from '@bancone/contract/pharmacy-imports'
import type { FileRow } from './import-file.ts'
import { type Decision, decide, type Known } from './import-rows.rules.ts'
import type { Judgement } from './pharmacy-imports.store.ts'

/** What each row of a file would do. A pharmacy is in one row only: later ones are refused. */
export function checkRows(rows: readonly FileRow[], known: Known): (FileRow & Judgement)[] {
  const lines = new Map<string, number>()
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
    return { ...row, ...judged(decision) }
  })
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
    changes: decision.outcome === 'changed' ? decision.changes : [],
  }
}
