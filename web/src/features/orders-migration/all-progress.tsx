import type { MigrationProgress } from '@bancone/contract/migration-runs'
import { CircleStop } from 'lucide-react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { errorCount, orderCount, pharmacyCount } from './migration-texts.ts'

const titles: Record<MigrationProgress['status'], string> = {
  idle: 'Migrazione di tutte le farmacie',
  running: 'Migrazione di tutte le farmacie in corso',
  completed: 'Ultima migrazione di tutte le farmacie: completata',
  error: 'Ultima migrazione di tutte le farmacie: con errori',
}

type AllProgressProps = {
  progress: MigrationProgress
  onCancel: (opener: HTMLElement) => void
}

/** What all runs of 'Migra Tutte' are doing, or have done. */
export function AllProgress({ progress, onCancel }: AllProgressProps) {
  const { status, total, processed, success, errors, migrated, errorMessages } = progress
  const isRunning = status === 'running'
  return (
    <section
      aria-labelledby="all-progress"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
          <h2 id="all-progress" className="text-lg leading-snug font-medium">
            {titles[status]}
          </h2>
          <p className="text-sm wrap-anywhere text-muted tabular-nums">
            {isRunning ? 'Avviata' : 'Finita'} il{' '}
            {formatDateTime(progress.endedAt ?? progress.createdAt)}
            {progress.startedBy === null ? null : ` • ${progress.startedBy}`}
          </p>
        </div>
        {isRunning ? (
          <Button aria-haspopup="dialog" onClick={({ currentTarget }) => onCancel(currentTarget)}>
            <CircleStop aria-hidden />
            Interrompi
          </Button>
        ) : null}
      </div>
      {isRunning ? (
        <ProgressBar
          label="Migrazione di tutte le farmacie"
          text={`${formatNumber(processed)} di ${pharmacyCount(total)}`}
          percent={total === 0 ? 0 : Math.floor((processed / total) * 100)}
        />
      ) : null}
      <p role="status" className="text-sm text-pretty wrap-anywhere">
        {isRunning
          ? `${progress.currentPharmacy ?? 'In attesa della prossima farmacia'}. Puoi chiudere questa pagina: la migrazione continua da sola.`
          : `${formatNumber(success)}/${formatNumber(total)} farmacie migrate, ${orderCount(migrated)} ${migrated === 1 ? 'scritto' : 'scritti'}${errors > 0 ? `, ${errorCount(errors)}` : ''}.`}
      </p>
      {errorMessages.length > 0 ? (
        <details className="text-sm">
          <summary className="cursor-pointer py-1 text-accent pointer-coarse:py-3">
            {errorCount(errorMessages.length)}
          </summary>
          <ul className="list-disc pl-5 wrap-anywhere">
            {errorMessages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  )
}
