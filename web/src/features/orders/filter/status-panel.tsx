import { OrderStatus } from '@bancone/contract/orders'
import { Inbox, type LucideIcon, PackageCheck, PackageX, TriangleAlert } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { cn } from '../../../ui/class-names.ts'
import { statusLook } from '../data/order-status.tsx'
import { chooseStatus, type OrdersListQuery, type StatusChoice } from '../data/orders-search.ts'
import type { OrderCounts } from '../data/use-order-counts.ts'

type ChoiceProps = {
  label: string
  icon: LucideIcon
  pressed: boolean
  /** Undefined while it is loading. */
  count: number | undefined
  onPress: () => void
}

function Choice({ label, icon: Icon, pressed, count, onPress }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cn(
        'flex min-h-11 w-full items-center gap-2.5 rounded-control px-3 text-left md:min-h-9 pointer-coarse:min-h-11',
        pressed ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-sunken',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="flex-1">{label}</span>
      <span className="tabular-nums">{count === undefined ? null : formatNumber(count)}</span>
    </button>
  )
}

type StatusPanelProps = {
  query: OrdersListQuery
  counts: OrderCounts | null
  onChange: (change: ReturnType<typeof chooseStatus>) => void
}

/** Filters by one status, by the late orders or by those to be collected, with counts. Two are pressed when a card filters by both. */
export function StatusPanel({ query, counts, onChange }: StatusPanelProps) {
  const { stato, ritardo, ritiro } = query
  const choose = (choice: StatusChoice) => onChange(chooseStatus(query, choice))
  return (
    <div role="group" aria-label="Stato degli ordini">
      <Choice
        label="Tutti"
        icon={Inbox}
        pressed={stato === undefined && ritardo === undefined && ritiro === undefined}
        count={counts?.all}
        onPress={() => choose({})}
      />
      {OrderStatus.options.map((status) => {
        const pressed = stato?.includes(status) ?? false
        const alone = pressed && stato?.length === 1
        return (
          <Choice
            key={status}
            label={status}
            icon={statusLook(status).icon}
            pressed={pressed}
            count={counts?.counts[status]}
            onPress={() => choose(alone ? {} : { stato: [status] })}
          />
        )
      })}
      <Choice
        label="In ritardo"
        icon={TriangleAlert}
        pressed={ritardo !== undefined}
        count={counts?.late}
        onPress={() => choose(ritardo ? {} : { ritardo: 'si' })}
      />
      <Choice
        label="Da ritirare"
        icon={PackageCheck}
        pressed={ritiro === 'si'}
        count={counts?.toCollect}
        onPress={() => choose(ritiro === 'si' ? {} : { ritiro: 'si' })}
      />
      <Choice
        label="Non ritirati"
        icon={PackageX}
        pressed={ritiro === 'scaduti'}
        count={counts?.overdue}
        onPress={() => choose(ritiro === 'scaduti' ? {} : { ritiro: 'scaduti' })}
      />
    </div>
  )
}
