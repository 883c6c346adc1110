import {
  Ban,
  CalendarRange,
  CalendarX2,
  CircleCheck,
  CirclePause,
  type LucideIcon,
} from 'lucide-react'
import type { ListedState } from './offer-lists.ts'

type Look = { word: string; Icon: LucideIcon; className: string }

const looks: Record<ListedState, Look> = {
  active: { word: 'Attiva', Icon: CircleCheck, className: 'text-confirmed' },
  inactive: { word: 'Inattiva', Icon: CirclePause, className: 'text-unknown' },
  scheduled: { word: 'Programmata', Icon: CalendarRange, className: 'text-bookedToday' },
  refused: { word: 'Non pubblicata', Icon: Ban, className: 'text-danger' },
  expired: { word: 'Scaduta', Icon: CalendarX2, className: 'text-cancelled' },
}

/** The effective state of an offer today. */
export function OfferStateWord({ id, state }: { id?: string; state: ListedState }) {
  const { word, Icon, className } = looks[state]
  return (
    <span
      id={id}
      data-state={state}
      className={`inline-flex items-center gap-1.5 text-sm font-medium whitespace-nowrap ${className}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {word}
    </span>
  )
}
