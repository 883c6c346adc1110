import { dismissOrderNotice, type OrderNotice, type OrderStatus } from '@bancone/contract/orders'
import { useRef, useState } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.ts'
import { focusNextButton } from './orders-focus.ts'

/** Maximum number of notices at a time: more would push the orders off the screen. */
const MAX_SHOWN = 3

/** The text about a status change that failed in the order source. */
export function noticeText({ kind, recordId, orderNumber, wanted, kept }: OrderNotice): string {
  const number = orderNumber ?? recordId
  if (kind === 'not_created') {
    return `Airtable non ha accettato l'ordine ${number}: resta solo in Bancone.`
  }
  if (kind === 'gone' || kept === null) return `L'ordine ${number} non c'è più in Airtable.`
  return kind === 'refused'
    ? `Airtable ha rifiutato il passaggio dell'ordine ${number} a «${wanted}»: è tornato a «${kept}».`
    : `L'ordine ${number} è stato cambiato in Airtable mentre la modifica era in attesa di invio: ora è «${kept}», non «${wanted}».`
}

type ChangeNoticesProps = {
  notices: readonly OrderNotice[]
  /** Changes that are still pending here: their outcome is reported when they end. */
  pending: ReadonlyMap<string, OrderStatus>
}

export function ChangeNotices({ notices, pending }: ChangeNoticesProps) {
  const { mutateAsync } = useEndpointMutation(dismissOrderNotice)
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const container = useRef<HTMLDivElement>(null)
  const left = notices.filter((notice) => !pending.has(notice.recordId) && !read.has(keyOf(notice)))

  async function dismiss(notice: OrderNotice, button: HTMLElement) {
    focusNextButton(button, container)
    setRead((before) => new Set(before).add(keyOf(notice)))
    try {
      await mutateAsync({ params: { recordId: notice.recordId } })
    } catch (error) {
      setRead((before) => new Set([...before].filter((key) => key !== keyOf(notice))))
      toastError("Impossibile togliere l'avviso", { description: errorMessage(error) })
    }
  }

  if (left.length === 0) return null
  return (
    <div ref={container} className="contents">
      {left.slice(0, MAX_SHOWN).map((notice) => (
        <Alert
          key={keyOf(notice)}
          tone={notice.kind === 'gone' ? 'notice' : 'error'}
          action={
            <Button
              size="small"
              className="max-md:h-11 max-md:px-4"
              onClick={({ currentTarget }) => void dismiss(notice, currentTarget)}
            >
              Ho capito
            </Button>
          }
        >
          {noticeText(notice)}
        </Alert>
      ))}
      {left.length > MAX_SHOWN ? (
        <p className="text-sm text-muted">
          {left.length === MAX_SHOWN + 1
            ? "C'è un altro avviso."
            : `Ci sono altri ${formatNumber(left.length - MAX_SHOWN)} avvisi.`}
        </p>
      ) : null}
    </div>
  )
}

/** Includes the time: a later notice about the same order is a different one. */
function keyOf({ recordId, at }: OrderNotice): string {
  return `${recordId} ${at}`
}
