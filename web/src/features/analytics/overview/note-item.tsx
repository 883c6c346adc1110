import type { AnalyticsNote } from '@bancone/contract/analytics-notes'
import type { Day } from '@bancone/contract/dates'
import { CalendarHeart, Euro, type LucideIcon, Megaphone, StickyNote } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { ItemButtons } from '../../../ui/removable-list.tsx'
import type { Days } from '../period/analytics-address.ts'
import { capital, dayText } from '../texts/day-texts.ts'
import { NoteForm } from './note-form.tsx'

const kinds: Record<AnalyticsNote['kind'], { name: string; Icon: LucideIcon }> = {
  own: { name: 'Nota', Icon: StickyNote },
  published: { name: 'Offerta pubblicata', Icon: Megaphone },
  price: { name: 'Prezzo cambiato', Icon: Euro },
  holiday: { name: 'Festa', Icon: CalendarHeart },
}

type ListedNote = ReturnType<typeof listed>[number]

/** The notes that the server and the pharmacy made, with a key for each. */
export function listed(notes: readonly AnalyticsNote[]) {
  return notes.map((note) => ({
    ...note,
    isOwn: note.id !== null,
    id: note.id ?? `${note.kind} ${note.day} ${note.text}`,
  }))
}

type NoteProps = {
  note: ListedNote
  period: Days
  today: Day
  focusFallback: RefObject<HTMLElement | null>
  onRemove: () => void
}

/** A note of the list; one of the pharmacy can be changed and removed. */
export function NoteItem({ note, period, today, focusFallback, onRemove }: NoteProps) {
  const { kind, day, text, isOwn } = note
  const { name, Icon } = kinds[kind]
  const item = useRef<HTMLDivElement>(null)
  const [isEditing, setEditing] = useState(false)
  if (isEditing) {
    return (
      <NoteForm
        note={note}
        period={period}
        focusFallback={focusFallback}
        onClose={() => {
          setEditing(false)
          focusFirstButton(item)
        }}
      />
    )
  }
  return (
    <div ref={item} className="flex min-h-11 items-center gap-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 text-sm">
        <span className="font-medium wrap-anywhere">
          {isOwn ? null : <span className="sr-only">{name}: </span>}
          {text}
        </span>
        <span className="block text-muted">{capital(dayText(day, today))}</span>
      </p>
      {isOwn ? (
        <ItemButtons
          what={`la nota: ${text}`}
          onEdit={() => setEditing(true)}
          onRemove={onRemove}
        />
      ) : null}
    </div>
  )
}
