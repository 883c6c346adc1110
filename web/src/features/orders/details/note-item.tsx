import type { OrderNote } from '@bancone/contract/order-details'
import { Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { readDraft } from '../../../lib/drafts.ts'
import { Button } from '../../../ui/button.tsx'
import { focusFirstButton } from './focus-first-button.ts'
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
            <span className="-mr-2 flex shrink-0">
              <Button
                look="quiet"
                size="square"
                aria-label={`Modifica la nota ${position}`}
                onClick={() => {
                  setAsked(true)
                  setEditing(true)
                }}
              >
                <Pencil aria-hidden />
              </Button>
              <Button
                look="quiet"
                size="square"
                aria-label={`Elimina la nota ${position}`}
                onClick={onRemove}
              >
                <Trash2 aria-hidden />
              </Button>
            </span>
          </div>
        </>
      )}
    </div>
  )
}
