import type { OrderNote } from '@bancone/contract/order-details'
import { useNow } from '../../../lib/use-now.ts'
import { useRemoval } from '../../../lib/use-removal.ts'
import { DetailsSection } from './details-section.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteItem } from './note-item.tsx'
import { Removable } from './removable.tsx'
import { useNotes } from './use-notes.ts'

type PrivateNotesProps = { recordId: string; notes: readonly OrderNote[] }

/** What the pharmacy writes down about an order, oldest first. */
export function PrivateNotes({ recordId, notes }: PrivateNotesProps) {
  const { add, change, remove } = useNotes(recordId)
  const removal = useRemoval(remove)
  const now = useNow()
  const shown = notes.filter(({ id }) => !removal.isLeaving(id))
  return (
    <DetailsSection title="Note private" hint="Le vede solo la farmacia">
      {shown.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {shown.map((note, index) => (
            <Removable
              key={note.id}
              removed={removal.isUndoable(note.id)}
              text="Nota eliminata"
              onUndo={removal.undo}
            >
              <NoteItem
                note={note}
                place={index + 1}
                now={now}
                onChange={(text) => change(note.id, text)}
                onRemove={() => removal.take(note.id)}
              />
            </Removable>
          ))}
        </ul>
      ) : null}
      <NoteForm label="Nuova nota" draft={`order ${recordId}`} onSave={add} />
    </DetailsSection>
  )
}
