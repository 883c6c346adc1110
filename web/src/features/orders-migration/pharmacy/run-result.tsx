import type { MigrationCounts, MigrationRun } from '@bancone/contract/migration-runs'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import { cn } from '../../../ui/class-names.ts'
import { durationText, endingOf, isActive, modeNames } from '../migration-texts.ts'
import { RunState } from '../run-parts.tsx'
import { VerificationFindings } from './verification-findings.tsx'

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
    <section
      aria-labelledby="run-result"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2
            ref={heading}
            id="run-result"
            tabIndex={-1}
            className="scroll-mt-20 text-lg leading-snug font-medium tabular-nums outline-none"
          >
            {modeNames[mode]} del {formatDateTime(run.createdAt)}
          </h2>
          <RunState run={run} />
        </div>
        <p className="text-sm wrap-anywhere text-muted tabular-nums empty:hidden">
          {timesText(run)}
        </p>
        {run.retryOf === null ? null : (
          <p className="text-sm text-muted">Solo le righe da correggere di un'altra migrazione.</p>
        )}
      </div>
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
    </section>
  )
}
