import type { VerificationResult } from '@bancone/contract/migration-results'
import type { MigrationCounts, MigrationRun } from '@bancone/contract/migration-runs'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import { CardSection } from '../../../ui/card-section.tsx'
import { cn } from '../../../ui/class-names.ts'
import {
  differencesOf,
  durationText,
  endingOf,
  isActive,
  modeNames,
  orderCount,
} from '../migration-texts.ts'
import { RunState } from '../run-parts.tsx'

const counters: readonly { count: keyof MigrationCounts; label: string; isProblem?: boolean }[] = [
  { count: 'read', label: 'Letti' },
  { count: 'new', label: 'Nuovi' },
  { count: 'changed', label: 'Cambiati' },
  { count: 'same', label: 'Uguali' },
  { count: 'onlyHere', label: 'Solo nel database' },
  { count: 'conflicts', label: 'In conflitto', isProblem: true },
  { count: 'refused', label: 'Non importati', isProblem: true },
  { count: 'toFix', label: 'Con campi da sistemare', isProblem: true },
  { count: 'images', label: 'Immagini' },
]

function Counts({ counts }: { counts: MigrationCounts }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2.5 sm:grid-cols-4">
      {counters.map(({ count, label, isProblem }) => (
        <div key={count}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd
            className={cn(
              'text-lg font-medium tabular-nums',
              isProblem && counts[count] > 0 && 'text-danger',
            )}
          >
            {formatNumber(counts[count])}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function timesText(run: MigrationRun): string {
  const { startedAt, endedAt, startedBy } = run
  const seconds =
    startedAt !== null && endedAt !== null
      ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
      : null
  return [
    seconds === null ? '' : `Durata: ${durationText(seconds)}`,
    startedBy ?? '',
    endedAt === null ? '' : `finit${endingOf(run)} il ${formatDateTime(endedAt)}`,
  ]
    .filter((text) => text !== '')
    .join(' • ')
}

type RunResultProps = {
  run: MigrationRun
  /** How often a run was chosen; each time the heading gets the focus. */
  opened: number
  /** What follows: the findings of a dry run, the records. */
  children: ReactNode
}

/** What a run has done or found. */
export function RunResult({ run, opened, children }: RunResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (opened > 0) heading.current?.focus()
  }, [opened])
  const { mode, verification, failureText } = run
  return (
    <CardSection
      title={`${modeNames[mode]} del ${formatDateTime(run.createdAt)}`}
      state={<RunState run={run} />}
      intro={timesText(run)}
      heading={heading}
    >
      {run.retryOf === null ? null : (
        <p className="text-sm text-muted">Solo le righe da correggere di un'altra migrazione.</p>
      )}
      {failureText === null || isActive(run) ? null : (
        <Alert tone="notice">
          <p>{failureText}</p>
        </Alert>
      )}
      {mode === 'dry_run' || mode === 'full' ? <Counts counts={run.counts} /> : null}
      {mode === 'dry_run' && !isActive(run) ? (
        <p className="text-sm text-pretty text-muted">
          Una simulazione: nulla è stato scritto. Questi numeri sono quelli della migrazione che
          segue.
        </p>
      ) : null}
      {verification ? <VerificationFindings found={verification} /> : null}
      {children}
    </CardSection>
  )
}

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

/** Names with their values, a line each. */
export function Facts({ facts }: { facts: readonly [name: string, value: string][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="sm:contents">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
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
      <Facts facts={facts} />
      {found.settled > 0 ? (
        <p className="text-sm text-pretty text-muted tabular-nums">
          {orderCount(found.settled)} sono cambiati durante la verifica: letti di nuovo, sono
          uguali.
        </p>
      ) : null}
    </div>
  )
}
