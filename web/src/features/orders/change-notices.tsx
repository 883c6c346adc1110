import { dismissOrderNotice, type OrderNotice, type OrderStatus } from '@bancone/contract/orders'
import { useRef, useState } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.ts'
import { focusBeside } from './orders-place.ts'

/** At once: more would push the orders off the screen. */
const MOST_SHOWN = 3

/** What became of a change of status that did not come to pass. */
export function noticeText({ kind, recordId, orderNumber, wanted, kept }: OrderNotice): string {
  const number = orderNumber ?? recordId
  if (kind === 'not_created') {
    return `Airtable non ha accettato l'ordine ${number}: resta solo in Bancone.`
  }
  if (kind === 'gone' || kept === null) return `L'ordine ${number} non c'è più in Airtable.`
  return kind === 'refused'
    ? `Airtable ha rifiutato il passaggio dell'ordine ${number} a «${wanted}»: è tornato a «${kept}».`
    : `L'ordine ${number} è stato cambiato in Airtable mentre la modifica era in viaggio: ora è «${kept}», non «${wanted}».`
}

type ChangeNoticesProps = {
  notices: readonly OrderNotice[]
  /** The changes on their way from here: what becomes of them is told when they end. */
  pending: ReadonlyMap<string, OrderStatus>
}

export function ChangeNotices({ notices, pending }: ChangeNoticesProps) {
  const { mutateAsync } = useEndpointMutation(dismissOrderNotice)
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const place = useRef<HTMLDivElement>(null)
  const left = notices.filter((notice) => !pending.has(notice.recordId) && !read.has(keyOf(notice)))

  async function dismiss(notice: OrderNotice, button: HTMLElement) {
    focusBeside(button, place)
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
    <div ref={place} className="contents">
      {left.slice(0, MOST_SHOWN).map((notice) => (
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
      {left.length > MOST_SHOWN ? (
        <p className="text-sm text-muted">
          {left.length === MOST_SHOWN + 1
            ? "C'è un altro avviso."
            : `Ci sono altri ${formatNumber(left.length - MOST_SHOWN)} avvisi.`}
        </p>
      ) : null}
    </div>
  )
}

/** A later notice about the same order is another one. */
function keyOf({ recordId, at }: OrderNotice): string {
  return `${recordId} ${at}`
}
