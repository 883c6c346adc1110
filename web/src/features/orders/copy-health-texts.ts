import type { Freshness, SourceFailure } from '@bancone/contract/order-health'
import { formatNumber } from '../../lib/format.ts'

/** Why Airtable could not be read, and what to do. */
export const troubleText: Record<SourceFailure, string> = {
  unreachable: 'Airtable non risponde. Ci riproviamo da soli: non devi fare nulla.',
  rate_limited: 'Airtable ci ha chiesto di rallentare. Ci riproviamo da soli: non devi fare nulla.',
  denied:
    "Airtable non accetta l'accesso di Bancone: il token, la base o la tabella non sono giusti. Avvisa chi gestisce Bancone per la tua farmacia.",
  not_found:
    'La tabella degli ordini non si trova più in Airtable. Controlla che non sia stata spostata o eliminata, e avvisa chi gestisce Bancone per la tua farmacia.',
  refused:
    'Airtable ha rifiutato la richiesta. Se continua, avvisa chi gestisce Bancone per la tua farmacia.',
}

/** The problems of the copy in a line; null when there are none. */
export function healthSummary({ trouble, setAside, missingColumns }: Freshness): string | null {
  const parts: string[] = []
  if (trouble !== null) parts.push('Airtable non si può leggere.')
  if (setAside === 1) parts.push('1 ordine di Airtable non si legge del tutto.')
  if (setAside > 1)
    parts.push(`${formatNumber(setAside)} ordini di Airtable non si leggono del tutto.`)
  const [column] = missingColumns
  if (missingColumns.length > 1)
    parts.push(`Nella tabella di Airtable mancano ${formatNumber(missingColumns.length)} colonne.`)
  else if (column !== undefined)
    parts.push(`Nella tabella di Airtable manca la colonna «${column}».`)
  return parts.length > 0 ? parts.join(' ') : null
}

/** Why a record is in quarantine: the reason names columns, and says whether the order is in the list. */
export function quarantineReasonText(reason: string): string {
  const [, owner] = /^left out; names no pharmacy: (.+)$/.exec(reason) ?? []
  if (owner !== undefined)
    return `Non è nell'elenco: la colonna ${owner} non dice di quale farmacia è`
  const [, outcome, columns] = /^(kept|left out); cannot be read: (.+)$/.exec(reason) ?? []
  if (outcome === undefined || columns === undefined) return `Da controllare: ${reason}`
  return outcome === 'kept'
    ? `Nell'elenco, ma senza ciò che non si legge: ${columns}`
    : `Non è nell'elenco. Non si legge: ${columns}`
}
