import { type Analytics, getAnalytics } from '@bancone/contract/analytics'
import { type AnalyticsNote, removeAnalyticsNote } from '@bancone/contract/analytics-notes'
import type { Day } from '@bancone/contract/dates'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarHeart, Euro, type LucideIcon, Megaphone, Plus, StickyNote } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { ItemButtons, RemovableList } from '../../../ui/removable-list.tsx'
import { toastError } from '../../../ui/toast.ts'
import type { Days } from '../period/analytics-address.ts'
import { Section } from '../section.tsx'
import { capital, dayText } from '../texts/day-texts.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { NoteForm } from './note-form.tsx'

/** So many notes are listed at first, the latest before the others. */
const FEW = 5

function useRemoveNote() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeAnalyticsNote)
  return async (noteId: string) => {
    try {
      await mutateAsync({ params: { analyticsNoteId: noteId } })
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'analytics.note_not_found'
      if (!isGone) {
        toastError(errorMessage(error), { about: 'analytics-note' })
        return
      }
    }
    await updateCached(client, getAnalytics, (analytics) => ({
      ...analytics,
      notes: analytics.notes.filter(({ id }) => id !== noteId),
    }))
  }
}

type NotesSectionProps = { shown: OfPeriod<Analytics>; today: Day }

/** The notes of the period: what happened by itself, and what the pharmacy wrote. */
export function NotesSection({ shown: { data, period }, today }: NotesSectionProps) {
  const { notes, bucket } = data
  const remove = useRemoveNote()
  const addButton = useRef<HTMLButtonElement>(null)
  const [isAdding, setAdding] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const latest = listed(notes.toReversed())
  return (
    <Section
      title="Note"
      summary={`${bucket === 'hour' ? 'Cosa è successo in questo giorno' : 'Cosa è successo in questi giorni: i rombi sul grafico'}. Le tue le vede solo la farmacia.`}
      action={
        <Button ref={addButton} aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          <Plus aria-hidden />
          Aggiungi nota
        </Button>
      }
    >
      {isAdding ? (
        <NoteForm
          note={{ day: period.al, text: '' }}
          period={period}
          focusFallback={addButton}
          onClose={() => setAdding(false)}
        />
      ) : null}
      <RemovableList
        items={isWhole ? latest : latest.slice(0, FEW)}
        removedText="Nota eliminata"
        onRemove={remove}
        empty={<p className="text-sm text-muted">Nessuna nota in questo periodo.</p>}
      >
        {(note, removeNote) => (
          <NoteItem
            note={note}
            period={period}
            today={today}
            focusFallback={addButton}
            onRemove={removeNote}
          />
        )}
      </RemovableList>
      {notes.length > FEW ? (
        <Button
          look="link"
          size="bare"
          className="min-h-8 self-start pointer-coarse:min-h-11"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Mostra meno note' : `Mostra tutte le ${notes.length} note`}
        </Button>
      ) : null}
    </Section>
  )
}

const kinds: Record<AnalyticsNote['kind'], { name: string; Icon: LucideIcon }> = {
  own: { name: 'Nota', Icon: StickyNote },
  published: { name: 'Offerta pubblicata', Icon: Megaphone },
  price: { name: 'Prezzo cambiato', Icon: Euro },
  holiday: { name: 'Festa', Icon: CalendarHeart },
}

type ListedNote = ReturnType<typeof listed>[number]

/** The notes that the server and the pharmacy made, with a key for each. */
function listed(notes: readonly AnalyticsNote[]) {
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
function NoteItem({ note, period, today, focusFallback, onRemove }: NoteProps) {
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
