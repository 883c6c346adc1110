import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../lib/messages.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { Button } from '../../../ui/button.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import type { OrderView } from '../order-view.ts'
import { DetailsSection } from './details-section.tsx'
import type { PhoneNumber } from './phone-number.ts'
import { ReplyComposer } from './reply-composer.tsx'
import { ReplyEditor } from './reply-editor.tsx'
import { replyPanelId } from './reply-panel-id.ts'
import { useReplyTexts } from './use-reply-texts.ts'

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
