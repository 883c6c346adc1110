import { adminPharmacyPath } from '@bancone/contract/admin-pages'
import type { MigrationMode } from '@bancone/contract/migration-runs'
import { type MigrationDetail, startMigration } from '@bancone/contract/orders-migration'
import { CircleStop, DatabaseBackup, FlaskConical, ShieldCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { call } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { CardSection } from '../../../ui/card-section.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import type { MigrationQuestion } from '../migration-dialog.tsx'
import { activityText, endingOf, isActive, modeNames, paceText } from '../migration-texts.ts'
import { NoToken, RunProgress } from '../run-parts.tsx'
import { useMigrationAction } from '../use-migrations.ts'

type RunPanelProps = {
  detail: MigrationDetail
  onAsk: (question: MigrationQuestion, opener: HTMLElement) => void
  onStarted: () => void
}

/** The run in progress, or the buttons that start one. */
export function RunPanel({ detail, onAsk, onStarted }: RunPanelProps) {
  const starting = useMigrationAction()
  const { run, hasAirtable, isConfigured } = detail
  const isRunning = isActive(run)
  const heading = useRef<HTMLHeadingElement>(null)
  // The buttons change when a run starts or ends: the focus stays here.
  const before = useRef(isRunning)
  useEffect(() => {
    if (before.current !== isRunning && document.activeElement === document.body) {
      heading.current?.focus()
    }
    before.current = isRunning
  }, [isRunning])

  const start = (mode: Extract<MigrationMode, 'dry_run' | 'verify'>) =>
    starting.start(async () => {
      await call(startMigration, { params: { pharmacyId: detail.id }, body: { mode } })
      onStarted()
    })

  const inactive = starting.busy || !isConfigured
  return (
    <CardSection
      title={isRunning ? `${modeNames[run.mode]} in corso` : 'Operazioni'}
      heading={heading}
      intro={
        <span className="block max-w-prose wrap-anywhere tabular-nums">
          {isRunning
            ? `Avviat${endingOf(run)} il ${formatDateTime(run.createdAt)}${run.startedBy === null ? '' : ` • ${run.startedBy}`}`
            : hasAirtable
              ? 'La simulazione e la verifica non scrivono nulla. La migrazione copia nel database quello che è nuovo o diverso, e poi verifica.'
              : 'La farmacia non ha una base e una tabella Airtable: non c’è nulla da migrare.'}
        </span>
      }
    >
      {isRunning ? (
        <p className="max-w-prose text-sm text-pretty">
          {activityText(run)} Puoi chiudere questa pagina: continua da sol{endingOf(run)}.
        </p>
      ) : null}
      {isConfigured ? null : <NoToken />}
      {isRunning ? (
        <div className="flex flex-col gap-1">
          <RunProgress run={run} />
          <p className="text-sm text-muted tabular-nums empty:hidden">{paceText(run)}</p>
        </div>
      ) : null}
      <FailureAlert failure={starting.failure} />
      <div className="flex flex-wrap gap-2.5">
        {hasAirtable ? null : (
          <Link to={adminPharmacyPath(detail.id)} className={buttonStyle({})}>
            Configura Airtable
          </Link>
        )}
        {isRunning ? (
          <Button
            aria-haspopup="dialog"
            inactive={run.state === 'cancelling'}
            onClick={({ currentTarget }) => onAsk({ kind: 'cancel', run }, currentTarget)}
          >
            <CircleStop aria-hidden />
            Interrompi
          </Button>
        ) : hasAirtable ? (
          <>
            <Button inactive={inactive} onClick={() => start('dry_run')}>
              <FlaskConical aria-hidden />
              Simula
            </Button>
            <Button
              // After a dry run the choice of statuses is further down.
              look={run?.dryRun && run.dryRun.unknownStatuses.length > 0 ? 'secondary' : 'primary'}
              aria-haspopup="dialog"
              inactive={inactive}
              onClick={({ currentTarget }) =>
                onAsk({ kind: 'migrate', pharmacy: detail }, currentTarget)
              }
            >
              <DatabaseBackup aria-hidden />
              Migra
            </Button>
            <Button inactive={inactive} onClick={() => start('verify')}>
              <ShieldCheck aria-hidden />
              Verifica
            </Button>
          </>
        ) : null}
      </div>
    </CardSection>
  )
}
