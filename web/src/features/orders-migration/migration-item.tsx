import { adminMigrationPath } from '@bancone/contract/admin-pages'
import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import { CircleStop, DatabaseBackup, Trash2 } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import type { MigrationQuestion } from './migration-dialog.tsx'
import {
  activityText,
  errorCount,
  errorsOf,
  isActive,
  modeNames,
  phaseText,
  stateText,
} from './migration-texts.ts'
import { RunProgress } from './run-parts.tsx'

export type MigrationItemProps = {
  pharmacy: MigrationPharmacy
  now: number
  /** Whether the server has a token for Airtable. */
  isConfigured: boolean
  onAsk: (question: MigrationQuestion, opener: HTMLElement) => void
}

export function lastMigrationText({ lastMigration }: MigrationPharmacy): string {
  return lastMigration === null ? 'Mai migrato' : formatDateTime(lastMigration)
}

/** The name, which leads to the page of the migration. */
export function PharmacyLink({ pharmacy }: Pick<MigrationItemProps, 'pharmacy'>) {
  const { search, hash } = useLocation()
  return (
    <div className="min-w-0">
      <Link
        to={adminMigrationPath(pharmacy.id)}
        state={{ list: search + hash }}
        className="inline-flex items-center font-medium wrap-anywhere underline-offset-4 hover:underline pointer-coarse:min-h-11"
      >
        {pharmacy.name}
      </Link>
      <p className="text-xs text-muted tabular-nums">
        {pharmacy.pharmacy_id} · {phaseText(pharmacy)}
      </p>
    </div>
  )
}

/** The progress of the run, or how the last one has ended. */
export function RunSummary({ pharmacy: { run } }: Pick<MigrationItemProps, 'pharmacy'>) {
  if (run === null) return null
  if (!isActive(run)) {
    const errors = run.state === 'completed_with_errors' ? errorsOf(run) : 0
    return (
      <p className="text-xs text-pretty text-muted">
        {modeNames[run.mode]}: {stateText(run).toLowerCase()}
        {errors > 0 ? ` (${errorCount(errors)})` : null}
        {run.failureText === null ? null : `. ${run.failureText}`}
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-1">
      <RunProgress run={run} />
      {run.state === 'running' && run.failureText === null ? null : (
        <p className="text-xs text-pretty text-muted">{activityText(run)}</p>
      )}
    </div>
  )
}

export function MigrationActions({ pharmacy, isConfigured, onAsk }: MigrationItemProps) {
  const { run, name } = pharmacy
  const isRunning = isActive(run)
  return (
    <div className="flex flex-wrap gap-2">
      {/* One button for both, so that the focus stays when a run starts or ends. */}
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={`${isRunning ? 'Interrompi' : 'Migra'} ${name}`}
        inactive={isRunning ? run.state === 'cancelling' : !pharmacy.hasAirtable || !isConfigured}
        onClick={({ currentTarget }) =>
          onAsk(isRunning ? { kind: 'cancel', run } : { kind: 'migrate', pharmacy }, currentTarget)
        }
      >
        {isRunning ? <CircleStop aria-hidden /> : <DatabaseBackup aria-hidden />}
        {isRunning ? 'Interrompi' : 'Migra'}
      </Button>
      <Button
        size="small"
        look="quiet"
        aria-haspopup="dialog"
        aria-label={`Elimina il backup di ${name}`}
        inactive={isRunning || !pharmacy.hasAirtable || pharmacy.supabaseCount === 0}
        onClick={({ currentTarget }) => onAsk({ kind: 'remove', pharmacy }, currentTarget)}
      >
        <Trash2 aria-hidden />
        Elimina
      </Button>
    </div>
  )
}
