import type { OrderNote } from '@bancone/contract/order-details'
import { useNow } from '../../../lib/use-now.ts'
import { useUndoableRemoval } from '../../../lib/use-undoable-removal.ts'
import { DetailsSection } from './details-section.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteItem } from './note-item.tsx'
import { Removable } from './removable.tsx'
import { useNotes } from './use-notes.ts'

type PrivateNotesProps = { recordId: string; notes: readonly OrderNote[] }

/** The pharmacy's notes on an order, oldest first. */
export function PrivateNotes({ recordId, notes }: PrivateNotesProps) {
  const { add, change, remove } = useNotes(recordId)
  const removal = useUndoableRemoval(remove)
  const now = useNow()
  const shown = notes.filter(({ id }) => !removal.isRemoving(id))
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
                position={index + 1}
                now={now}
                onChange={(text) => change(note.id, text)}
                onRemove={() => removal.removeLater(note.id)}
              />
            </Removable>
          ))}
        </ul>
      ) : null}
      <NoteForm label="Nuova nota" draft={`order ${recordId}`} onSave={add} />
    </DetailsSection>
  )
}
