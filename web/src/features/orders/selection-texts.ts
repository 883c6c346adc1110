import { formatNumber } from '../../lib/format.ts'

export function selectedText(count: number): string {
  if (count === 0) return 'Nessun ordine selezionato'
  return count === 1 ? '1 ordine selezionato' : `${formatNumber(count)} ordini selezionati`
}
