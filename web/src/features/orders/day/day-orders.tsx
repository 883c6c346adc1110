import type { OrderRecord } from '@bancone/contract/orders'
import { CalendarOff } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { viewOrder } from '../order-view.ts'
import { plainInPrint } from '../orders-table.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { countText, groupByStatus } from './day-groups.ts'
import { DayOrdersList } from './day-orders-list.tsx'

type DayOrdersProps = {
  today: boolean
  /**
   * `made`: created on the day. `due`: created the day before and booked for the day. `waiting`: of the days before, and
   * not confirmed yet; the newest of `waitingCount`.
   */
  orders: {
    made: readonly OrderRecord[]
    due: readonly OrderRecord[]
    waiting: readonly OrderRecord[]
    waitingCount: number
  }
}

type SectionProps = { title: ReactNode; note?: string; children: ReactNode }

function Section({ title, note, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2
        id={id}
        className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base font-medium print:break-after-avoid"
      >
        {title}
        {note ? <span className="text-sm font-normal text-muted">{note}</span> : null}
      </h2>
      {children}
    </section>
  )
}

function Totals({ orders }: { orders: readonly OrderRecord[] }) {
  const groups = groupByStatus(orders)
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2.5 rounded-card border border-line bg-surface px-4 py-3">
      <div className="flex items-center gap-2.5">
        <dt className="text-sm text-muted">Totale</dt>
        <dd className="text-lg font-medium tabular-nums">{formatNumber(orders.length)}</dd>
      </div>
      {groups.map(({ status, orders: { length } }) => (
        <div key={status} className="flex items-center gap-2.5">
          <dt className={plainInPrint}>
            <StatusBadge status={status} />
          </dt>
          <dd className="text-lg font-medium tabular-nums">{formatNumber(length)}</dd>
        </div>
      ))}
    </dl>
  )
}

function waitingNote(listed: number, count: number): string {
  const text = `${countText(count, formatNumber)} dei giorni prima`
  return listed < count ? `${text}: qui i ${formatNumber(listed)} più recenti` : text
}

/** The orders in groups: those due first, then by status, then what still waits. */
export function DayOrders({ today, orders }: DayOrdersProps) {
  const { made, due, waiting, waitingCount } = orders
  if (made.length + due.length + waiting.length === 0) {
    return (
      <EmptyList icon={<CalendarOff />} title="Nessun ordine in questo giorno">
        {today
          ? 'Gli ordini di oggi compariranno qui appena arrivano.'
          : 'Scegli un altro giorno per vederne il riepilogo.'}
      </EmptyList>
    )
  }
  const dueTitle = today ? 'Da consegnare oggi' : 'Da consegnare in questo giorno'
  return (
    <>
      <Totals orders={made} />
      {due.length > 0 ? (
        <Section title={dueTitle} note={`${countText(due.length, formatNumber)} del giorno prima`}>
          <DayOrdersList caption={dueTitle} orders={due.map((record) => viewOrder(record))} />
        </Section>
      ) : null}
      {groupByStatus(made).map(({ status, orders: group }) => (
        <Section
          key={status}
          title={
            <span className={plainInPrint}>
              <StatusBadge status={status} />
            </span>
          }
          note={countText(group.length, formatNumber)}
        >
          <DayOrdersList caption={`Ordini: ${status || 'Senza stato'}`} orders={group} />
        </Section>
      ))}
      {waiting.length > 0 ? (
        <Section title="Ancora in attesa" note={waitingNote(waiting.length, waitingCount)}>
          <DayOrdersList
            caption="Ancora in attesa"
            dated
            orders={waiting.map((record) => viewOrder(record))}
          />
        </Section>
      ) : null}
    </>
  )
}

export function DayOrdersSkeleton() {
  return (
    <Loading text="Caricamento del riepilogo in corso…" className="flex flex-col gap-5">
      <Skeleton shape="control" className="h-14 w-full" />
      {['w-32', 'w-40'].map((width) => (
        <div key={width}>
          <Skeleton className={`mb-2.5 h-5 ${width}`} />
          <Skeleton shape="control" className="h-36 w-full" />
        </div>
      ))}
    </Loading>
  )
}
