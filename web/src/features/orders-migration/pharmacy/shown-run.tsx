import type { DryRunResult, MaskedOrder } from '@bancone/contract/migration-results'
import { MigrationItemKind, type MigrationRunDetail } from '@bancone/contract/migration-runs'
import { OrderStatus } from '@bancone/contract/orders'
import type { MigrationDetail } from '@bancone/contract/orders-migration'
import { DatabaseBackup } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { z } from 'zod/mini'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { MigrationQuestion, StatusMapping } from '../migration-dialog.tsx'
import { isActive, orderCount } from '../migration-texts.ts'
import { RunItems } from './run-items.tsx'
import { Facts, RunResult } from './run-result.tsx'

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

/** Empty: the status stays. */
const Choice = z.catch(z.union([OrderStatus, z.literal('')]), '')
type Choice = z.infer<typeof Choice>

type AfterDryRunProps = {
  unknown: DryRunResult['unknownStatuses']
  /** Whether a migration can start now. */
  canMigrate: boolean
  onMigrate: (mapping: StatusMapping, opener: HTMLElement) => void
}

/** What is to become of statuses that are none of the five, and the migration that does it. */
function AfterDryRun({ unknown, canMigrate, onMigrate }: AfterDryRunProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>(() =>
    Object.fromEntries(unknown.map(({ status, proposed }) => [status, proposed])),
  )

  function mapping(): StatusMapping {
    const known: Record<string, OrderStatus> = {}
    for (const [status, to] of Object.entries(chosen)) if (to !== '') known[status] = to
    return known
  }

  return (
    <>
      {unknown.length > 0 ? (
        <fieldset className="flex flex-col gap-3">
          <legend className="text-base font-medium">Stati sconosciuti</legend>
          <p className="text-sm text-pretty text-muted">
            Questi stati non sono tra i cinque di Bancone. Scegli che cosa diventano con la
            migrazione: cambiano qui e in Airtable.
          </p>
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {unknown.map(({ status, orders }) => (
              <SelectField
                key={status}
                label={`«${status}»`}
                hint={orderCount(orders)}
                value={chosen[status] ?? ''}
                onChange={({ target }) =>
                  setChosen({ ...chosen, [status]: Choice.parse(target.value) })
                }
              >
                {OrderStatus.options.map((option) => (
                  <option key={option} value={option}>
                    {option}
                  </option>
                ))}
                <option value="">Lascia com'è</option>
              </SelectField>
            ))}
          </div>
        </fieldset>
      ) : null}
      <Button
        className="self-start"
        look={unknown.length > 0 ? 'primary' : 'secondary'}
        aria-haspopup="dialog"
        inactive={!canMigrate}
        onClick={({ currentTarget }) => onMigrate(mapping(), currentTarget)}
      >
        <DatabaseBackup aria-hidden />
        {unknown.length > 0 ? 'Migra con questi stati' : 'Migra ora'}
      </Button>
    </>
  )
}

const megabytes = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 })

function sizeText(bytes: number): string {
  const size = bytes / (1024 * 1024)
  return size < 0.1 ? 'meno di 0,1 MB' : `${megabytes.format(size)} MB`
}

function factsOf({ missingColumns, duplicates, pictures }: DryRunResult): [string, string][] {
  return [
    [
      'Colonne mancanti',
      missingColumns === null ? 'Airtable non lo dice' : missingColumns.join(', ') || 'Nessuna',
    ],
    [
      'ID Ordine ripetuti',
      duplicates.total === 0
        ? 'Nessuno'
        : `${formatNumber(duplicates.total)}, importati tutti: ${duplicates.numbers
            .map(({ orderNumber, records }) => `${orderNumber} (${records} volte)`)
            .join(', ')}${duplicates.total > duplicates.numbers.length ? '…' : ''}`,
    ],
    ['Immagini', `${formatNumber(pictures.total)}, ${sizeText(pictures.bytes)}`],
  ]
}

const exampleNames: readonly { kind: keyof DryRunResult['examples']; title: string }[] = [
  { kind: 'new', title: 'Nuovi' },
  { kind: 'changed', title: 'Cambiati' },
  { kind: 'onlyHere', title: 'Solo nel database' },
  { kind: 'conflicts', title: 'In conflitto' },
]

function Examples({ title, orders }: { title: string; orders: readonly MaskedOrder[] }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer py-1 text-accent pointer-coarse:py-3">
        {title}: {formatCount(orders.length, 'esempio', 'esempi')}
      </summary>
      <ul className="flex flex-col divide-y divide-line">
        {orders.map(({ recordId, orderNumber, customer, columns }) => (
          <li key={recordId} className="flex flex-wrap gap-x-4 py-1.5 wrap-anywhere tabular-nums">
            <span>{orderNumber === null ? 'Senza ID Ordine' : `Ordine ${orderNumber}`}</span>
            <span className="text-muted">{customer ?? 'Senza nome'}</span>
            <span className="text-muted">{recordId}</span>
            {columns.length > 0 ? <span>{columns.join(', ')}</span> : null}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Counted({ title, items }: { title: string; items: readonly [string, string][] }) {
  if (items.length === 0) return null
  return (
    <div>
      <h3 className="text-base font-medium">{title}</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line text-sm">
        {items.map(([name, text]) => (
          <li key={name} className="flex justify-between gap-4 py-1.5">
            <span className="wrap-anywhere">{name}</span>
            <span className="shrink-0 text-muted tabular-nums">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type DryRunFindingsProps = {
  found: DryRunResult
  /** The choice of statuses, and what follows the dry run. */
  children: ReactNode
}

/** What a dry run found: the differences that the migration would remove. */
function DryRunFindings({ found, children }: DryRunFindingsProps) {
  const examples = exampleNames.filter(({ kind }) => found.examples[kind].length > 0)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-x-10 gap-y-4 empty:hidden lg:grid-cols-2">
        <Counted
          title="Colonne che cambiano"
          items={found.changedColumns.map(({ column, orders }) => [column, orderCount(orders)])}
        />
        <Counted
          title="Da correggere, per motivo"
          items={found.refused.map(({ text, records }) => [text, formatNumber(records)])}
        />
      </div>
      <Facts facts={factsOf(found)} />
      {examples.length > 0 ? (
        <div>
          <h3 className="text-base font-medium">Esempi, con i nomi nascosti</h3>
          {examples.map(({ kind, title }) => (
            <Examples key={kind} title={title} orders={found.examples[kind]} />
          ))}
        </div>
      ) : null}
      {children}
    </div>
  )
}

const migrationUrl = searchParamsFormat(
  z.object({
    /** The run that is shown; empty for the newest. */
    operazione: z.catch(z.union([z.uuid(), z.literal('')]), ''),
    /** Its records that are shown; empty for all. */
    righe: z.catch(z.union([MigrationItemKind, z.literal('')]), ''),
    page: z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1),
    /** The page of the history. */
    storico: z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  }),
)

type MigrationAddress = ReturnType<typeof migrationUrl.parse>

export function useMigrationAddress() {
  return useUrlFilter<MigrationAddress>(migrationUrl)
}
