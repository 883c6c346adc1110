import type { Freshness, SourceFailure } from '@bancone/contract/order-health'
import { formatNumber } from '../../../lib/format.ts'
import { troubleNames } from './trouble-names.ts'

const RETRIED = 'Ci riproviamo da soli: non devi fare nulla.'
const TELL = 'avvisa chi gestisce Bancone per la tua farmacia.'

const advice: Record<SourceFailure, string> = {
  unreachable: RETRIED,
  rate_limited: RETRIED,
  denied: `Il token, la base o la tabella non sono giusti: ${TELL}`,
  not_found: `Controlla che non sia stata spostata o eliminata, e ${TELL}`,
  refused: `Se continua, ${TELL}`,
  internal: `Ci riproviamo da soli. Se continua, ${TELL}`,
}

/** Why Airtable could not be read, with what to do. */
export function troubleText(trouble: SourceFailure): string {
  return `${troubleNames[trouble]}. ${advice[trouble]}`
}

/** The problems of the copy in a line; null when there are none. */
export function healthSummary({ trouble, setAside, missingColumns }: Freshness): string | null {
  const parts: string[] = []
  if (trouble === 'internal') parts.push('Gli ordini di Airtable non si salvano.')
  else if (trouble !== null) parts.push('Airtable non si può leggere.')
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
  if (reason === 'left out; cannot be stored')
    return "Non si può salvare com'è ora: controlla in Airtable i testi molto lunghi"
  const [, outcome, columns] = /^(kept|left out); cannot be read: (.+)$/.exec(reason) ?? []
  if (outcome === undefined || columns === undefined) return `Da controllare: ${reason}`
  return outcome === 'kept'
    ? `Nell'elenco, ma senza ciò che non si legge: ${columns}`
    : `Non è nell'elenco. Non si legge: ${columns}`
}
