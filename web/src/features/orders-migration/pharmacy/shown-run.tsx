import type { MigrationRunDetail } from '@bancone/contract/migration-runs'
import type { MigrationDetail } from '@bancone/contract/orders-migration'
import type { MigrationQuestion } from '../migration-dialog.tsx'
import { isActive } from '../migration-texts.ts'
import { AfterDryRun } from './after-dry-run.tsx'
import { DryRunFindings } from './dry-run-findings.tsx'
import { useMigrationAddress } from './migration-address.ts'
import { RunItems } from './run-items.tsx'
import { RunResult } from './run-result.tsx'

type ShownRunProps = {
  run: MigrationRunDetail
  detail: MigrationDetail
  /** How often a run was chosen; each time its heading gets the focus. */
  opened: number
  onAsk: (question: MigrationQuestion, opener: HTMLElement) => void
}

/** The run that is shown, with what can be done after it. */
export function ShownRun({ run, detail, opened, onAsk }: ShownRunProps) {
  const [address, change] = useMigrationAddress()
  // Their progress is all that they have to show until they end.
  if (isActive(run) && (run.mode === 'verify' || run.mode === 'back')) return null
  const canStart = detail.hasAirtable && detail.isConfigured && !isActive(detail.run)
  return (
    <RunResult run={run} opened={opened}>
      {run.dryRun ? (
        <DryRunFindings found={run.dryRun}>
          <AfterDryRun
            key={run.id}
            unknown={run.dryRun.unknownStatuses}
            canMigrate={canStart}
            onMigrate={(statusMapping, opener) =>
              onAsk({ kind: 'migrate', pharmacy: detail, statusMapping }, opener)
            }
          />
        </DryRunFindings>
      ) : null}
      {run.items.length > 0 ? (
        <RunItems
          key={run.id}
          run={run}
          kind={address.righe}
          page={address.page}
          canStart={canStart}
          onKind={(righe) => change({ righe }, { replace: true })}
          onPage={(page) => change({ page })}
          onStarted={() => change({ operazione: '', righe: '' }, { replace: true })}
        />
      ) : null}
    </RunResult>
  )
}
