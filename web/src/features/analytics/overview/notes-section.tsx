import { type Analytics, getAnalytics } from '@bancone/contract/analytics'
import { removeAnalyticsNote } from '@bancone/contract/analytics-notes'
import type { Day } from '@bancone/contract/dates'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { RemovableList } from '../../../ui/removable-list.tsx'
import { toastError } from '../../../ui/toast.ts'
import { Section } from '../section.tsx'
import type { OfPeriod } from '../use-of-period.ts'
import { NoteForm } from './note-form.tsx'
import { listed, NoteItem } from './note-item.tsx'

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
