import type { OrderNote } from '@bancone/contract/order-details'
import { useNow } from '../../../lib/use-now.ts'
import { RemovableList } from '../../../ui/removable-list.tsx'
import { DetailsSection } from './details-section.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteItem } from './note-item.tsx'
import { useNotes } from './use-notes.ts'

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
