import { type Analytics, getAnalytics } from '@bancone/contract/analytics'
import {
  type AnalyticsNote,
  addAnalyticsNote,
  changeAnalyticsNote,
  MAX_NOTE_LENGTH,
  removeAnalyticsNote,
} from '@bancone/contract/analytics-notes'
import { type Day, formatShortDay } from '@bancone/contract/dates'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarHeart, Euro, type LucideIcon, Megaphone, Plus, StickyNote } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { endpointKey, updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { unlessGone, useAction } from '../../../lib/use-action.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { ItemButtons, RemovableList } from '../../../ui/removable-list.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import type { Days } from '../analytics-address.ts'
import { FirstItems, Section } from '../section.tsx'
import { capital, dayText } from '../texts/day-texts.ts'
import type { OfPeriod } from '../use-analytics.ts'

function useRemoveNote() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeAnalyticsNote)
  return async (noteId: string) => {
    try {
      const removal = mutateAsync({ params: { analyticsNoteId: noteId } })
      await unlessGone(removal, 'analytics.note_not_found')
    } catch (error) {
      toastError(errorMessage(error), { about: 'analytics-note' })
      return
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
  /** The latest before the others. */
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
      <FirstItems items={latest} name="note">
        {(items) => (
          <RemovableList
            items={items}
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
        )}
      </FirstItems>
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

function noteMessage({
  code,
  path,
}: {
  code?: string | undefined
  path?: PropertyKey[] | undefined
}) {
  if (path?.[0] === 'day') return 'Scegli il giorno.'
  return code === 'too_big' ? `Al massimo ${MAX_NOTE_LENGTH} caratteri.` : 'Scrivi la nota.'
}

/** A note of another day is not in the list that follows. */
function savedText(day: Day, { dal, al }: Days): string {
  if (dal <= day && day <= al) return 'Nota salvata'
  return `Nota salvata: la vedi scegliendo un periodo con il ${formatShortDay(day)}`
}

type NoteFormProps = {
  /** Without `id` a new one. */
  note: Pick<AnalyticsNote, 'day' | 'text'> & { id?: string }
  /** The shown days. */
  period: Days
  focusFallback: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Adds a note to a day, or changes one. */
function NoteForm({ note, period, focusFallback, onClose }: NoteFormProps) {
  const { id, day, text } = note
  const place = useFocusFallback(focusFallback)
  const client = useQueryClient()
  const adding = useEndpointMutation(addAnalyticsNote)
  const changing = useEndpointMutation(changeAnalyticsNote)
  const { busy, failure, run } = useAction()
  const form = useForm({
    resolver: zodResolver(addAnalyticsNote.body, { error: noteMessage }),
    defaultValues: { day, text },
  })
  const { setFocus } = form
  const field = formFields(form)
  useEffect(() => setFocus('text'), [setFocus])

  const submit = form.handleSubmit((body) =>
    run(async () => {
      const saved =
        id === undefined
          ? await adding.mutateAsync({ body })
          : await changing.mutateAsync({ params: { analyticsNoteId: id }, body })
      await client.invalidateQueries({ queryKey: endpointKey(getAnalytics) })
      toastSuccess(savedText(saved.day, period), { about: 'analytics-note' })
      onClose()
    }),
  )

  return (
    <div ref={place}>
      <form
        noValidate
        aria-label={id === undefined ? 'Nuova nota' : 'Modifica nota'}
        onSubmit={submit}
        className="flex flex-col gap-3 rounded-control bg-sunken p-3"
      >
        <FailureAlert failure={failure} />
        <div className="flex flex-wrap items-start gap-3">
          <TextField type="date" label="Giorno" className="max-sm:w-full" {...field('day')} />
          <TextField
            label="Nota"
            hint="Per esempio: volantino nelle buche, saldi, chiusi per ferie."
            className="min-w-0 flex-1 basis-60"
            autoComplete="off"
            {...field('text')}
          />
        </div>
        <div className="flex flex-wrap gap-2 sm:justify-end">
          <Button onClick={onClose}>Chiudi</Button>
          <Button type="submit" look="primary" inactive={busy}>
            {busy ? 'Salvataggio in corso…' : id === undefined ? 'Aggiungi' : 'Salva'}
          </Button>
        </div>
      </form>
    </div>
  )
}
