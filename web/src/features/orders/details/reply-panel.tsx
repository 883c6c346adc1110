import { MAX_REPLY_TEXTS, type ReplyText } from '@bancone/contract/reply-texts'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { ItemButtons, RemovableList } from '../../../ui/removable-list.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import type { OrderView } from '../order-view.ts'
import { DetailsSection } from './details-section.tsx'
import type { PhoneNumber } from './phone-number.ts'
import { ReplyComposer } from './reply-composer.tsx'
import { replyPanelId } from './reply-panel-id.ts'
import { ReplyTextForm } from './reply-text-form.tsx'
import { type ReplyTexts, useReplyTexts, type WrittenReply } from './use-reply-texts.ts'

/** Writing a message to the customer, and editing the templates. */
export function ReplyPanel({ order, phone }: { order: OrderView; phone: PhoneNumber }) {
  const replies = useReplyTexts()
  const [editing, setEditing] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView?.({ block: 'start' })
  }, [])
  const { texts, error } = replies
  // If the templates cannot be loaded the examples are offered.
  const offered = texts && texts.length > 0 ? texts : replySuggestions
  return (
    <div ref={panel} id={replyPanelId} tabIndex={-1} className="scroll-mt-2 outline-none">
      <DetailsSection
        title={editing ? 'Testi per i clienti' : 'Scrivi su WhatsApp'}
        hint={editing ? 'Valgono per tutta la farmacia' : undefined}
        action={
          <Button size="small" inactive={!texts} onClick={() => setEditing(!editing)}>
            {editing ? 'Fine' : 'Modifica testi'}
          </Button>
        }
      >
        {error ? (
          <RetryAlert busy={replies.isFetching} onRetry={replies.refetch}>
            I testi della farmacia non si sono caricati. {errorMessage(error)}
          </RetryAlert>
        ) : null}
        {!texts && !error ? (
          <Loading className="flex flex-col gap-3">
            <Skeleton shape="control" className="h-11" />
            <Skeleton shape="control" className="h-28" />
          </Loading>
        ) : editing && texts ? (
          <ReplyEditor texts={texts} replies={replies} />
        ) : (
          <ReplyComposer order={order} phone={phone} texts={offered} />
        )}
      </DetailsSection>
    </div>
  )
}

type ReplyEditorProps = { texts: readonly ReplyText[]; replies: ReplyTexts }

/** Lists the pharmacy's text templates to add, change and remove them. */
function ReplyEditor({ texts, replies }: ReplyEditorProps) {
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

type ReplyItemProps = {
  text: ReplyText
  /** @throws when it could not be saved */
  onChange: (written: WrittenReply) => Promise<void>
  onRemove: () => void
}

function ReplyItem({ text, onChange, onRemove }: ReplyItemProps) {
  const [editing, setEditing] = useState(false)
  const item = useRef<HTMLDivElement>(null)

  function end() {
    setEditing(false)
    focusFirstButton(item)
  }

  return (
    <div ref={item} className="rounded-control border border-line px-3 py-2">
      {editing ? (
        <ReplyTextForm
          written={text}
          onSave={async (written) => {
            await onChange(written)
            end()
          }}
          onCancel={end}
        />
      ) : (
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0 py-1">
            <p className="font-medium wrap-anywhere">{text.title}</p>
            <p className="line-clamp-2 text-sm text-muted wrap-anywhere">{text.text}</p>
          </div>
          <ItemButtons
            what={`il testo «${text.title}»`}
            onEdit={() => setEditing(true)}
            onRemove={onRemove}
          />
        </div>
      )}
    </div>
  )
}
