import type { OrderEvent } from '@bancone/contract/order-details'
import {
  Ban,
  Eraser,
  FilePen,
  Inbox,
  type LucideIcon,
  MessageCircle,
  MessageCircleX,
  TriangleAlert,
} from 'lucide-react'
import { useId, useState } from 'react'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { statusLook } from '../data/order-status.tsx'
import { DetailsSection, RelativeTime } from './details-section.tsx'
import { eventText } from './history-texts.ts'

const SHORT = 5
const neutral = 'border-line bg-sunken text-muted'

function look({ kind, to, source }: OrderEvent): { icon: LucideIcon; tone: string } {
  if (kind === 'status') {
    const { icon, pill } = statusLook(to ?? '')
    return { icon, tone: pill }
  }
  if (kind === 'refused')
    return { icon: Ban, tone: 'border-danger-line bg-danger-soft text-danger' }
  if (kind === 'conflict') {
    return { icon: TriangleAlert, tone: 'border-pending-line bg-pending-soft text-pending' }
  }
  if (kind === 'message') {
    return to === 'failed'
      ? { icon: MessageCircleX, tone: 'border-danger-line bg-danger-soft text-danger' }
      : { icon: MessageCircle, tone: neutral }
  }
  if (kind === 'content' && source === 'system') return { icon: Eraser, tone: neutral }
  return { icon: kind === 'received' ? Inbox : FilePen, tone: neutral }
}

function HistoryEntry({ event, now }: { event: OrderEvent; now: number }) {
  const { icon: Icon, tone } = look(event)
  const { text, by } = eventText(event)
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-0">
      <span
        aria-hidden
        className="absolute top-7 bottom-0 left-3.5 w-px bg-line group-last:hidden"
      />
      <span className={cn('grid size-7 shrink-0 place-items-center rounded-full border', tone)}>
        <Icon aria-hidden className="size-3.5" />
      </span>
      <span className="min-w-0 pt-0.5">
        <span className="block leading-snug wrap-anywhere">{text}</span>
        <span className="block text-sm text-muted">
          {by ? `${by} · ` : null}
          <RelativeTime value={event.at} now={now} />
        </span>
      </span>
    </li>
  )
}

/** The history of the order, newest first. */
export function OrderHistory({ history }: { history: readonly OrderEvent[] }) {
  const [whole, setWhole] = useState(false)
  const now = useNow()
  const listId = useId()
  const shown = whole ? history : history.slice(0, SHORT)
  return (
    <DetailsSection title="Cronologia">
      {history.length === 0 ? (
        <p className="text-sm text-muted">Di questo ordine non si sa ancora nulla.</p>
      ) : null}
      <ol id={listId}>
        {shown.map((event, index) => (
          // Counted from the end: events may have the same time, and new ones are inserted at the start.
          <HistoryEntry key={history.length - index} event={event} now={now} />
        ))}
      </ol>
      {history.length > SHORT ? (
        <Button
          size="small"
          className="self-start"
          aria-expanded={whole}
          aria-controls={listId}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Mostra meno' : `Mostra tutto (${history.length})`}
        </Button>
      ) : null}
    </DetailsSection>
  )
}
