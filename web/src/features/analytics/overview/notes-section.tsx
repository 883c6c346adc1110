import {
  type Analytics,
  type AnalyticsNote,
  getAnalytics,
  removeAnalyticsNote,
} from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarHeart, Euro, Megaphone, Plus, StickyNote, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { RemovableList } from '../../../ui/removable-list.tsx'
import { toastError } from '../../../ui/toast.ts'
import { Section } from '../section.tsx'
import { capital, dayText } from '../texts/day-texts.ts'
import { NoteForm } from './note-form.tsx'

const kinds: Record<AnalyticsNote['kind'], { name: string; Icon: typeof Plus }> = {
  own: { name: 'Nota', Icon: StickyNote },
  published: { name: 'Offerta pubblicata', Icon: Megaphone },
  price: { name: 'Prezzo cambiato', Icon: Euro },
  holiday: { name: 'Festa', Icon: CalendarHeart },
}

/** So many notes are listed at first, the latest before the others. */
const FEW = 5

/** The notes that the server and the pharmacy made, with a key for each. */
function keyed(notes: readonly AnalyticsNote[]) {
  return notes.map((note) => ({
    ...note,
    isOwn: note.id !== null,
    id: note.id ?? `${note.kind} ${note.day} ${note.text}`,
  }))
}

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

type NotesSectionProps = {
  notes: Analytics['notes']
  /** The day that a new note begins with. */
  day: Day
  today: Day
}

/** The notes of the period: what happened by itself, and what the pharmacy wrote. */
export function NotesSection({ notes, day, today }: NotesSectionProps) {
  const remove = useRemoveNote()
  const [isAdding, setAdding] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const latest = keyed(notes.toReversed())
  const addButton = useRef<HTMLButtonElement>(null)
  return (
    <Section
      title="Note"
      summary="Cosa è successo in questi giorni: i rombi sul grafico. Le tue le vede solo la farmacia."
      action={
        <Button ref={addButton} aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          <Plus aria-hidden />
          Aggiungi nota
        </Button>
      }
    >
      {isAdding ? (
        <NoteForm
          start={day}
          onClose={() => {
            setAdding(false)
            addButton.current?.focus()
          }}
        />
      ) : null}
      <RemovableList
        items={isWhole ? latest : latest.slice(0, FEW)}
        removedText="Nota eliminata"
        onRemove={remove}
        empty={<p className="text-sm text-muted">Nessuna nota in questo periodo.</p>}
      >
        {(note, removeNote) => <Note note={note} today={today} onRemove={removeNote} />}
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

type NoteProps = {
  note: ReturnType<typeof keyed>[number]
  today: Day
  onRemove: () => void
}

function Note({ note: { kind, day, text, isOwn }, today, onRemove }: NoteProps) {
  const { name, Icon } = kinds[kind]
  return (
    <div className="flex min-h-11 items-center gap-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 text-sm">
        <span className="font-medium wrap-anywhere">
          {isOwn ? null : <span className="sr-only">{name}: </span>}
          {text}
        </span>
        <span className="block text-muted">{capital(dayText(day, today))}</span>
      </p>
      {isOwn ? (
        <Button
          look="quiet"
          size="square"
          aria-label={`Elimina la nota: ${text}`}
          onClick={onRemove}
        >
          <Trash2 aria-hidden />
        </Button>
      ) : null}
    </div>
  )
}
