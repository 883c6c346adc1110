import type { OrderNote } from '@bancone/contract/order-details'
import { useRef, useState } from 'react'
import { readDraft } from '../../../lib/drafts.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { ItemButtons } from '../../../ui/removable-list.tsx'
import { actorName } from './history-texts.ts'
import { NoteForm } from './note-form.tsx'
import { RelativeTime } from './relative-time.tsx'

type NoteItemProps = {
  note: OrderNote
  /** Number of the note, from 1, for the labels of its controls. */
  position: number
  now: number
  onChange: (text: string) => Promise<void>
  onRemove: () => void
}

export function NoteItem({ note, position, now, onChange, onRemove }: NoteItemProps) {
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
