import type { OrderNote } from '@bancone/contract/order-details'
import { Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { readDraft } from '../../../lib/drafts.ts'
import { Button } from '../../../ui/button.tsx'
import { focusFirstButton } from './focus-first-button.ts'
import { actorName } from './history-texts.ts'
import { NoteForm } from './note-form.tsx'
import { When } from './when.tsx'

type NoteItemProps = {
  note: OrderNote
  /** Which one of them it is, counted from 1, to tell its controls from those of the others. */
  place: number
  now: number
  onChange: (text: string) => Promise<void>
  onRemove: () => void
}

export function NoteItem({ note, place, now, onChange, onRemove }: NoteItemProps) {
  const draft = `note ${note.id}`
  // Somebody was changing it when the details were closed.
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
          label={`Nota ${place}`}
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
              <When value={note.at} now={now} />
              {note.changedAt ? ' · modificata' : null}
            </span>
            <span className="-mr-2 flex shrink-0">
              <Button
                look="quiet"
                size="square"
                aria-label={`Modifica la nota ${place}`}
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
                aria-label={`Elimina la nota ${place}`}
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
