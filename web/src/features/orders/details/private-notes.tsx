import {
  addOrderNote,
  changeOrderNote,
  getOrder,
  NOTE_LENGTH,
  type OrderNote,
  removeOrderNote,
} from '@bancone/contract/order-details'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
import { updateCached } from '../../../lib/endpoint-query.ts'
import { replaceItem, withItem, withoutItem } from '../../../lib/item-list.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { ItemButtons, RemovableList } from '../../../ui/removable-list.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { awaitRemoval } from './await-removal.ts'
import { DetailsSection, RelativeTime, useEditing } from './details-section.tsx'
import { actorName } from './history-texts.ts'

type PrivateNotesProps = { recordId: string; notes: readonly OrderNote[] }

/** The pharmacy's notes on an order, oldest first. */
export function PrivateNotes({ recordId, notes }: PrivateNotesProps) {
  const { add, change, remove } = useNotes(recordId)
  const now = useNow()
  return (
    <DetailsSection
      title="Note private"
      hint="Le vede la farmacia, e il cliente se chiede una copia dei suoi dati"
    >
      <RemovableList items={notes} removedText="Nota eliminata" onRemove={remove} empty={null}>
        {(note, removeNote, index) => (
          <NoteItem
            note={note}
            position={index + 1}
            now={now}
            onChange={(text) => change(note.id, text)}
            onRemove={removeNote}
          />
        )}
      </RemovableList>
      <NoteForm label="Nuova nota" draft={`order ${recordId}`} onSave={add} />
    </DetailsSection>
  )
}

type NoteItemProps = {
  note: OrderNote
  /** Number of the note, from 1, for the labels of its controls. */
  position: number
  now: number
  onChange: (text: string) => Promise<void>
  onRemove: () => void
}

function NoteItem({ note, position, now, onChange, onRemove }: NoteItemProps) {
  const draft = `note ${note.id}`
  // The details were closed while the note was being edited.
  const { item, editing, edit, end } = useEditing(readDraft(draft) !== '')
  const [asked, setAsked] = useState(false)
  return (
    <div ref={item} className="rounded-control border border-line px-3 py-2">
      {editing ? (
        <NoteForm
          label={`Nota ${position}`}
          draft={draft}
          text={note.text}
          takesFocus={asked}
          onSave={async (text) => {
            await onChange(text)
            end()
          }}
          onCancel={end}
        />
      ) : (
        <>
          <p className="whitespace-pre-line wrap-anywhere">{note.text}</p>
          <div className="flex items-center justify-between gap-2 text-sm text-muted">
            <span>
              {note.who ? `${actorName(note.who)} · ` : null}
              <RelativeTime value={note.at} now={now} />
              {note.changedAt ? ' · modificata' : null}
            </span>
            <ItemButtons
              what={`la nota ${position}`}
              onEdit={() => {
                setAsked(true)
                edit()
              }}
              onRemove={onRemove}
            />
          </div>
        </>
      )}
    </div>
  )
}

/** Mutations of an order's notes, which update the cached details. */
function useNotes(recordId: string) {
  const client = useQueryClient()
  const update = (change: (notes: OrderNote[]) => OrderNote[]) =>
    updateCached(client, getOrder, (details) =>
      details.order.id === recordId ? { ...details, notes: change(details.notes) } : details,
    )

  return {
    async add(text: string) {
      const note = await call(addOrderNote, { params: { recordId }, body: { text } })
      await update((notes) => withItem(notes, note))
    },
    async change(noteId: string, text: string) {
      const note = await call(changeOrderNote, { params: { recordId, noteId }, body: { text } })
      await update((notes) => replaceItem(notes, note))
    },
    async remove(noteId: string) {
      const removal = call(removeOrderNote, { params: { recordId, noteId } })
      if (await awaitRemoval(removal, 'orders.note_not_found', 'Impossibile eliminare la nota'))
        await update((notes) => withoutItem(notes, noteId))
    },
  }
}

type NoteFormProps = {
  label: string
  /** Name under which the unsaved text is stored as a draft. */
  draft: string
  /** The saved text; empty for a new note. */
  text?: string
  /** Focus the field when it is mounted: it replaces the button that was pressed. */
  takesFocus?: boolean
  /** @throws when it could not be saved */
  onSave: (text: string) => Promise<void>
  onCancel?: () => void
}

/** The form of a note. An unsaved text survives closing the details, and errors. */
function NoteForm(props: NoteFormProps) {
  const { label, draft, text: stored = '', takesFocus = false, onSave, onCancel } = props
  const [text, setText] = useState(() => readDraft(draft) || stored)
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | undefined>()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('textarea')?.focus()
  }, [takesFocus])
  const body = addOrderNote.body.safeParse({ text })
  const ready = body.success && !saving

  function write(next: string) {
    setText(next)
    setError(undefined)
    saveDraft(draft, next === stored ? '' : next)
  }

  async function save() {
    if (!ready) return
    setSaving(true)
    try {
      await onSave(body.data.text)
      saveDraft(draft, '')
      setText(stored)
      // The buttons disappear with the text.
      form.current?.querySelector('textarea')?.focus()
    } catch (reason) {
      setError(errorMessage(reason))
    } finally {
      setSaving(false)
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }

  return (
    <form
      ref={form}
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextArea
        label={label}
        value={text}
        maxCharacters={NOTE_LENGTH}
        error={error}
        readOnly={saving}
        aria-keyshortcuts="Control+Enter"
        onChange={({ target }) => write(target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' || onCancel ? (
        <div className="flex gap-2">
          <Button type="submit" look="primary" inactive={!ready}>
            {saving ? 'Salvataggio…' : 'Salva nota'}
          </Button>
          {onCancel ? (
            <Button
              onClick={() => {
                saveDraft(draft, '')
                onCancel()
              }}
            >
              Annulla
            </Button>
          ) : null}
        </div>
      ) : null}
    </form>
  )
}
