import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  MAX_REPLY_TEXTS,
  REPLY_TEXT_LENGTH,
  type ReplyText,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { updateCached, useEndpoint } from '../../../lib/endpoint-query.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { replaceItem, withItem, withoutItem } from '../../../lib/item-list.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { fillReply } from '../../../lib/reply-placeholders.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { ItemButtons, RemovableList } from '../../../ui/removable-list.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { LinesSkeleton } from '../../../ui/skeleton.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import type { OrderView } from '../data/order-view.ts'
import { awaitRemoval } from './await-removal.ts'
import { DetailsSection, useEditing } from './details-section.tsx'
import { type PhoneNumber, whatsAppLink } from './phone-number.ts'
import { ReplyTextForm, type WrittenReply } from './reply-text-form.tsx'

type ReplyPanelProps = {
  order: OrderView
  phone: PhoneNumber
  /** A text for this order, before the templates. */
  asking: WrittenReply | null
}

/** Writing a message to the customer, and editing the templates. */
export function ReplyPanel({ order, phone, asking }: ReplyPanelProps) {
  const replies = useReplyTexts()
  const [editing, setEditing] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView?.({ block: 'start' })
  }, [])
  const { texts, error } = replies
  // If the templates cannot be loaded the examples are offered.
  const templates = texts && texts.length > 0 ? texts : replySuggestions
  const offered = asking ? [asking, ...templates] : templates
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
          <LinesSkeleton shape="control" lines={['h-11', 'h-28']} line="" />
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
  const { item, editing, edit, end } = useEditing()
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
          <ItemButtons what={`il testo «${text.title}»`} onEdit={edit} onRemove={onRemove} />
        </div>
      )}
    </div>
  )
}

/** Names and numbers may be longer than their placeholders. */
const MAX_MESSAGE_LENGTH = 2 * REPLY_TEXT_LENGTH

type ReplyComposerProps = {
  order: OrderView
  phone: PhoneNumber
  texts: readonly WrittenReply[]
}

/** Selects and fills in a text template, which can be edited, and opens it in WhatsApp. */
function ReplyComposer({ order, phone, texts }: ReplyComposerProps) {
  const [chosen, setChosen] = useState(0)
  /** The edited text; null while it equals the template. */
  const [changed, setChanged] = useState<string | null>(null)
  const text = texts[chosen] ?? texts[0]
  const message = changed ?? (text ? fillReply(text.text, order) : '')

  // The order source has not assigned a number yet, and the record id means nothing to a customer.
  const unnumbered = order.number === order.recordId && message.includes(order.recordId)

  return (
    <div data-unsaved={changed === null ? undefined : true} className="flex flex-col gap-3">
      <NativeSelect
        label="Testo da usare"
        className="w-full"
        value={chosen}
        onChange={({ target }) => {
          setChosen(Number(target.value))
          setChanged(null)
        }}
      >
        {texts.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is what tells one from another
          <option key={index} value={index}>
            {title}
          </option>
        ))}
      </NativeSelect>
      <TextArea
        label="Messaggio"
        hint="Puoi cambiarlo prima di inviarlo. Passa da WhatsApp: non scriverci che cosa è stato ordinato."
        value={message}
        maxCharacters={MAX_MESSAGE_LENGTH}
        onChange={({ target }) => setChanged(target.value)}
      />
      {unnumbered ? (
        <Alert tone="notice">
          L'ordine non ha ancora un numero: nel messaggio c'è un codice che al cliente non dice
          nulla.
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <a
          href={whatsAppLink(phone, message)}
          target="_blank"
          rel="noopener noreferrer"
          className={`${buttonStyle({ look: 'primary' })} flex-1`}
        >
          <ExternalLink aria-hidden />
          Scrivi su WhatsApp
          <span className="sr-only"> in una nuova scheda</span>
        </a>
        <CopyButton label="Copia testo" text={message} copied="Testo copiato" />
      </div>
    </div>
  )
}

/** Id of the message panel, for `aria-controls` of the button that opens it. */
export const replyPanelId = 'messaggio-al-cliente'

/** The pharmacy's text templates and their mutations. */
function useReplyTexts() {
  const client = useQueryClient()
  const query = useEndpoint(listReplyTexts, {})

  const update = (change: (texts: ReplyText[]) => ReplyText[]) =>
    updateCached(client, listReplyTexts, ({ texts }) => ({ texts: change(texts) }))

  return {
    texts: query.data?.texts,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    async add(body: WrittenReply) {
      const text = await call(addReplyText, { body })
      await update((texts) => withItem(texts, text))
    },
    async change(textId: string, body: WrittenReply) {
      const text = await call(changeReplyText, { params: { textId }, body })
      await update((texts) => replaceItem(texts, text))
    },
    async remove(textId: string) {
      const removal = call(removeReplyText, { params: { textId } })
      if (await awaitRemoval(removal, 'reply_texts.not_found', 'Impossibile eliminare il testo'))
        await update((texts) => withoutItem(texts, textId))
    },
  }
}

type ReplyTexts = ReturnType<typeof useReplyTexts>
