import type { VerificationResult } from '@bancone/contract/migration-results'
import { formatNumber } from '../../../lib/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import { differencesOf, orderCount } from '../migration-texts.ts'

const month = new Intl.DateTimeFormat('it-IT', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** '2026-03' becomes 'marzo 2026'. */
function monthName(key: string): string {
  return month.format(new Date(`${key}-01T00:00:00Z`))
}

function pictureText({ checked, missing, waiting, refused }: VerificationResult['pictures']) {
  const parts = [
    checked > 0 ? `${formatNumber(checked)} controllate` : '',
    missing > 0 ? `${formatNumber(missing)} mancanti o danneggiate` : '',
    refused > 0 ? `${formatNumber(refused)} non copiate` : '',
    waiting > 0 ? `${formatNumber(waiting)} ancora da copiare` : '',
  ]
  return parts.filter((text) => text !== '').join(', ') || 'Nessuna da controllare'
}

function monthsText(found: VerificationResult): string {
  const { months, differentMonths, unreadable, toFix } = found
  if (months === 0) return 'Nessuno'
  // Those of changes that are on their way differ at first only.
  if (differencesOf(found) > 0) {
    return `${formatNumber(months)}, con differenze: ${differentMonths.map(monthName).join(', ')}`
  }
  return `${formatNumber(months)}${unreadable + toFix > 0 ? '' : ', tutti uguali'}`
}

function outcomeText(found: VerificationResult): string {
  if (found.equal && found.airtable + found.database === 0)
    return 'Non ci sono ordini da confrontare.'
  if (found.equal) return 'Airtable e il database sono uguali.'
  if (differencesOf(found) > 0 || found.pictures.missing > 0) {
    return 'Airtable e il database sono diversi: le righe qui sotto dicono quali ordini e quali colonne.'
  }
  const { unreadable, toFix } = found
  const parts = [
    unreadable === 1 ? 'Un record di Airtable non è stato importato.' : '',
    unreadable > 1
      ? `${formatNumber(unreadable)} record di Airtable non sono stati importati.`
      : '',
    toFix === 1 ? 'Un ordine è nel database con campi da sistemare in Airtable.' : '',
    toFix > 1
      ? `${formatNumber(toFix)} ordini sono nel database con campi da sistemare in Airtable.`
      : '',
    found.airtable > unreadable + toFix ? 'Tutti gli altri sono uguali.' : '',
  ]
  return parts.filter((text) => text !== '').join(' ')
}

/** What a comparison of both sides has found. */
export function VerificationFindings({ found }: { found: VerificationResult }) {
  const facts: [string, string][] = [
    [
      'Ordini',
      `${formatNumber(found.airtable)} in Airtable, ${formatNumber(found.database)} nel database`,
    ],
    ['Mesi', monthsText(found)],
    ['Solo in Airtable', formatNumber(found.onlyInAirtable)],
    ['Solo nel database', formatNumber(found.onlyHere)],
    ['Con colonne diverse', formatNumber(found.different)],
    ['Non importati', formatNumber(found.unreadable)],
    ['Con campi da sistemare', formatNumber(found.toFix)],
    ['Immagini', pictureText(found.pictures)],
  ]
  return (
    <div className="flex flex-col gap-3">
      <Alert tone={found.equal ? 'done' : 'notice'}>{outcomeText(found)}</Alert>
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="sm:contents">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {found.settled > 0 ? (
        <p className="text-sm text-pretty text-muted tabular-nums">
          {orderCount(found.settled)} sono cambiati durante la verifica: letti di nuovo, sono
          uguali.
        </p>
      ) : null}
    </div>
  )
}
