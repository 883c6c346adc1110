import { OrderStatus } from '@bancone/contract/orders'
import {
  CalendarArrowUp,
  CalendarCheck,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  type LucideIcon,
} from 'lucide-react'
import { cn } from '../../../ui/class-names.ts'

type Look = { icon: LucideIcon; pill: string }

const looks: Record<OrderStatus, Look> = {
  'In attesa': { icon: Clock, pill: 'border-pending-line bg-pending-soft text-pending' },
  Confermato: {
    icon: CircleCheck,
    pill: 'border-confirmed-line bg-confirmed-soft text-confirmed',
  },
  'Prenotato in Giornata': {
    icon: CalendarCheck,
    pill: 'border-bookedToday-line bg-bookedToday-soft text-bookedToday',
  },
  'Prenotato Domani': {
    icon: CalendarArrowUp,
    pill: 'border-bookedTomorrow-line bg-bookedTomorrow-soft text-bookedTomorrow',
  },
  Annullato: { icon: CircleX, pill: 'border-cancelled-line bg-cancelled-soft text-cancelled' },
}

const unknown: Look = {
  icon: CircleHelp,
  pill: 'border-unknown-line bg-unknown-soft text-unknown',
}

/** The status as one of the five known ones; null for any other text from the order source. */
export function knownStatus(word: string): OrderStatus | null {
  const parsed = OrderStatus.safeParse(word)
  return parsed.success ? parsed.data : null
}

const MAX_STATUS_LENGTH = 200

/** The status to compare with before a change; undefined for a longer text, with which the server does not compare. */
export function comparableStatus(word: string): string | undefined {
  return word.length > MAX_STATUS_LENGTH ? undefined : word
}

/** Icon and colours of a status text. */
export function statusLook(word: string): Look {
  const status = knownStatus(word)
  return status === null ? unknown : looks[status]
}

export function StatusBadge({ status }: { status: string }) {
  const { icon: Icon, pill } = statusLook(status)
  return (
    <span
      className={cn(
        'inline-flex min-h-7 items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm font-medium',
        pill,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {status || 'Senza stato'}
    </span>
  )
}
