import { BrokenDownload } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { UnfinishedExport } from './export-run.ts'

/** Why there is no file. */
export function exportFailure(error: unknown): string {
  const broken = error instanceof BrokenDownload || error instanceof UnfinishedExport
  return broken ? 'Il file non è completo: riprova.' : errorMessage(error)
}

/** What will be in the file. */
export function scopeText(total: number, filtered: boolean): string {
  if (total === 0) {
    return filtered ? 'Nessun ordine trovato con i filtri attuali.' : 'Non ci sono ancora ordini.'
  }
  const count = formatNumber(total)
  if (!filtered) return total === 1 ? "L'unico ordine che c'è." : `Tutti i ${count} ordini.`
  return total === 1
    ? '1 ordine trovato con i filtri attuali.'
    : `${count} ordini trovati con i filtri attuali.`
}
