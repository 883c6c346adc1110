import {
  type ImportRow,
  importHeadings,
  type PharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import { formatCount, formatNumber } from '../../lib/format.ts'

type State = PharmacyImport['state']

export const stateTitles: Record<State, string> = {
  preview: 'Anteprima',
  running: 'Importazione in corso',
  done: 'Importazione completata',
  cancelled: 'Importazione interrotta',
}

/** The labels of the counts, in their order. */
export const outcomeCounts = [
  { outcome: 'new', label: 'Nuove' },
  { outcome: 'changed', label: 'Cambiate' },
  { outcome: 'same', label: 'Uguali' },
  { outcome: 'refused', label: 'Rifiutate' },
] as const

export const pharmacyCount = (count: number) => formatCount(count, 'farmacia', 'farmacie')
export const rowCount = (count: number) => formatCount(count, 'riga', 'righe')

const expected = { new: 'Nuova', changed: 'Cambia', same: 'Uguale', refused: 'Rifiutata' }
const applied = { new: 'Creata', changed: 'Cambiata', same: 'Uguale', refused: 'Rifiutata' }

/** What a row will do, or did. */
export function outcomeText({ outcome, isDone }: ImportRow, state: State): string {
  if (isDone || outcome === 'refused') return applied[outcome]
  if (state === 'preview') return expected[outcome]
  return state === 'running' ? 'In attesa' : 'Non importata'
}

/** The problems of a row, and what it changes. */
export function rowDetails({ problems, changes, differences }: ImportRow): string[] {
  const shown = differences.map(
    ({ field, before, after }) =>
      `${importHeadings[field]}: ${before || '(vuoto)'} → ${after || '(vuoto)'}`,
  )
  const names = changes.map((field) => importHeadings[field]).join(', ')
  return [
    ...problems.map(({ field, text }) => (field ? `${importHeadings[field]}: ${text}` : text)),
    ...(shown.length === 0 && names !== '' ? [names] : shown),
  ]
}

/** What happened, and what can be done now. */
export function stateText({ state, counts, done, total }: PharmacyImport): string {
  if (state === 'preview') {
    return counts.new + counts.changed === 0
      ? "Non c'è nulla da importare: nessuna riga crea o cambia una farmacia."
      : "Nulla è ancora stato salvato. Controlla le righe, poi avvia l'importazione: quelle rifiutate restano fuori."
  }
  if (state === 'running') {
    return "Puoi chiudere questa pagina: l'importazione continua da sola."
  }
  const made = [
    counts.new > 0 ? `${pharmacyCount(counts.new)} ${counts.new === 1 ? 'creata' : 'create'}` : '',
    counts.changed > 0
      ? `${pharmacyCount(counts.changed)} ${counts.changed === 1 ? 'cambiata' : 'cambiate'}`
      : '',
  ].filter((text) => text !== '')
  const result = made.length === 0 ? 'Nessuna farmacia è stata cambiata' : made.join(', ')
  if (state === 'done') {
    if (counts.refused === 0) return `${result}.`
    return counts.refused === 1
      ? `${result}. Una riga è stata rifiutata: scaricala, correggila e carica di nuovo il file.`
      : `${result}. Le righe rifiutate sono ${formatNumber(counts.refused)}: scaricale, correggile e carica di nuovo il file.`
  }
  return `${result}. Non ${total - done === 1 ? 'è stata importata' : 'sono state importate'} ${rowCount(total - done)}.`
}
