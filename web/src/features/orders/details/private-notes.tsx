import {
  addOrderNote,
  changeOrderNote,
  getOrder,
  type OrderNote,
  removeOrderNote,
} from '@bancone/contract/order-details'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { readDraft } from '../../../lib/drafts.ts'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { replaceItem, withItem, withoutItem } from '../../../lib/item-list.ts'
import { useNow } from '../../../lib/use-now.ts'
import { ItemButtons, RemovableList } from '../../../ui/removable-list.tsx'
import { awaitRemoval } from './await-removal.ts'
import { DetailsSection } from './details-section.tsx'
import { actorName } from './history-texts.ts'
import { NoteForm } from './note-form.tsx'
import { RelativeTime } from './relative-time.tsx'

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
  const [editing, setEditing] = useState(() => readDraft(draft) !== '')
  const [asked, setAsked] = useState(false)
  const item = useRef<HTMLDivElement>(null)

  function end() {
    setEditing(false)
    focusFirstButton(item)
  }

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
                setEditing(true)
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
  const { mutateAsync: sendNew } = useEndpointMutation(addOrderNote)
  const { mutateAsync: sendChanged } = useEndpointMutation(changeOrderNote)
  const { mutateAsync: sendRemoval } = useEndpointMutation(removeOrderNote)

  const update = (change: (notes: OrderNote[]) => OrderNote[]) =>
    updateCached(client, getOrder, (details) =>
      details.order.id === recordId ? { ...details, notes: change(details.notes) } : details,
    )

  return {
    async add(text: string) {
      const note = await sendNew({ params: { recordId }, body: { text } })
      await update((notes) => withItem(notes, note))
    },
    async change(noteId: string, text: string) {
      const note = await sendChanged({ params: { recordId, noteId }, body: { text } })
      await update((notes) => replaceItem(notes, note))
    },
    async remove(noteId: string) {
      const removal = sendRemoval({ params: { recordId, noteId } })
      if (await awaitRemoval(removal, 'orders.note_not_found', 'Impossibile eliminare la nota'))
        await update((notes) => withoutItem(notes, noteId))
    },
  }
}
