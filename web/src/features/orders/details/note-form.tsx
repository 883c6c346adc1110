import { addOrderNote, NOTE_LENGTH } from '@bancone/contract/order-details'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/text-area.tsx'

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
export function NoteForm(props: NoteFormProps) {
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
