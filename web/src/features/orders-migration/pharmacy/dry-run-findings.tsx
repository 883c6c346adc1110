import type { DryRunResult, MaskedOrder } from '@bancone/contract/migration-results'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { orderCount } from '../migration-texts.ts'

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
        {title}: {orders.length === 1 ? '1 esempio' : `${orders.length} esempi`}
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
export function DryRunFindings({ found, children }: DryRunFindingsProps) {
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
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
        {factsOf(found).map(([name, value]) => (
          <div key={name} className="sm:contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
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
