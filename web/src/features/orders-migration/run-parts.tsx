import type { MigrationRun } from '@bancone/contract/migration-runs'
import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import {
  CircleCheck,
  CircleDashed,
  CircleStop,
  CircleX,
  Database,
  LoaderCircle,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react'
import { Alert } from '../../ui/alert.tsx'
import { cn } from '../../ui/class-names.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { announcement, isActive, modeNames, progressText, stateText } from './migration-texts.ts'

type Look = { Icon: LucideIcon; className: string }

const done: Look = {
  Icon: CircleCheck,
  className: 'border-confirmed-line bg-confirmed-soft text-confirmed',
}
const attention: Look = {
  Icon: TriangleAlert,
  className: 'border-pending-line bg-pending-soft text-pending',
}
const moving: Look = {
  Icon: LoaderCircle,
  className: 'border-bookedToday-line bg-bookedToday-soft text-bookedToday',
}

const badges: Record<MigrationPharmacy['badge'], Look> = {
  'In Migrazione': moving,
  'Da Sincronizzare': { ...attention, Icon: RefreshCw },
  Sincronizzato: done,
  Database: { Icon: Database, className: 'border-unknown-line bg-unknown-soft text-unknown' },
}

const states: Record<MigrationRun['state'], Look> = {
  queued: { Icon: CircleDashed, className: 'border-unknown-line bg-unknown-soft text-unknown' },
  running: moving,
  cancelling: moving,
  stalled: attention,
  completed: done,
  completed_with_errors: attention,
  cancelled: { Icon: CircleStop, className: 'border-unknown-line bg-unknown-soft text-unknown' },
  failed: { Icon: CircleX, className: 'border-danger-line bg-danger-soft text-danger' },
}

function Pill({ look: { Icon, className }, text }: { look: Look; text: string }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full border px-2 py-0.5 text-xs leading-tight font-medium',
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {text}
    </span>
  )
}

export function MigrationBadge({ badge }: Pick<MigrationPharmacy, 'badge'>) {
  return <Pill look={badges[badge]} text={badge} />
}

export function RunState({ run }: { run: MigrationRun }) {
  return <Pill look={states[run.state]} text={stateText(run)} />
}

export function RunProgress({ run }: { run: MigrationRun }) {
  return (
    <ProgressBar
      label={`${modeNames[run.mode]} di ${run.pharmacy.name}`}
      text={progressText(run)}
      percent={run.percent}
    />
  )
}

/** Why nothing can be started. */
export function NoToken() {
  return (
    <Alert tone="notice">
      Sul server manca il token di Airtable: finché non c'è, non si può migrare.
    </Alert>
  )
}

/** Reads out how far runs are: their states, and every quarter. The bars themselves are silent. */
export function RunAnnouncer({ runs }: { runs: readonly (MigrationRun | null)[] }) {
  return (
    <p role="status" className="sr-only">
      {runs.filter(isActive).map(announcement).join('. ')}
    </p>
  )
}
