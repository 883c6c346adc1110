import { MAX_REPLY_TEXTS, type ReplyText } from '@bancone/contract/reply-texts'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { RemovableList } from '../../../ui/removable-list.tsx'
import { ReplyItem } from './reply-item.tsx'
import { ReplyTextForm } from './reply-text-form.tsx'
import type { ReplyTexts } from './use-reply-texts.ts'

type ReplyEditorProps = { texts: readonly ReplyText[]; replies: ReplyTexts }

/** Lists the pharmacy's text templates to add, change and remove them. */
export function ReplyEditor({ texts, replies }: ReplyEditorProps) {
  const [adding, setAdding] = useState(false)
  const [taking, setTaking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const below = useRef<HTMLDivElement>(null)

  async function takeSuggestions() {
    setTaking(true)
    setFailure(null)
    try {
      // One after the other: they are listed in the order of creation.
      for (const suggestion of replySuggestions) await replies.add(suggestion)
    } catch (error) {
      setFailure(error)
    } finally {
      setTaking(false)
      focusFirstButton(below)
    }
  }

  function endAdding() {
    setAdding(false)
    focusFirstButton(below)
  }

  return (
    <div className="flex flex-col gap-3">
      <RemovableList
        items={texts}
        removedText="Testo eliminato"
        onRemove={replies.remove}
        empty={
          <p className="text-sm text-muted">
            Non ci sono ancora testi della farmacia: finché è così, si usano tre testi di esempio.
          </p>
        }
      >
        {(text, remove) => (
          <ReplyItem
            text={text}
            onChange={(written) => replies.change(text.id, written)}
            onRemove={remove}
          />
        )}
      </RemovableList>
      {failure ? <Alert tone="error">{errorMessage(failure)}</Alert> : null}
      <div ref={below}>
        {adding ? (
          <ReplyTextForm
            onSave={async (written) => {
              await replies.add(written)
              endAdding()
            }}
            onCancel={endAdding}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button
              inactive={taking || texts.length >= MAX_REPLY_TEXTS}
              onClick={() => setAdding(true)}
            >
              <Plus aria-hidden />
              Nuovo testo
            </Button>
            {texts.length === 0 ? (
              <Button inactive={taking} onClick={() => void takeSuggestions()}>
                Parti dagli esempi
              </Button>
            ) : null}
          </div>
        )}
      </div>
    </div>
  )
}
