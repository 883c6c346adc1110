import { IncompleteDownloadError } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { IncompleteExportError } from './export-run.ts'

/** Why the export failed. */
export function exportFailure(error: unknown): string {
  const broken = error instanceof IncompleteDownloadError || error instanceof IncompleteExportError
  return broken ? 'Il file non è completo: riprova.' : errorMessage(error)
}

/** How many orders the file will contain. */
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
