import type { OrderNote } from '@bancone/contract/order-details'
import { Printer, Send } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useIssueLinks } from '../order-links.ts'
import type { OrderView } from '../order-view.ts'
import { orderAddress } from '../use-details.ts'
import { OrderSlip } from './order-slip.tsx'

/** Actions on the order in the details. */
export function DetailsActions({
  order,
  notes,
}: {
  order: OrderView
  notes: readonly OrderNote[]
}) {
  const [printing, setPrinting] = useState(false)
  const issueLinks = useIssueLinks()
  const [withNotes, setWithNotes] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1 print:hidden">
      <div className="flex flex-wrap items-center gap-x-3 not-last:mr-2">
        <Button onClick={() => setPrinting(true)}>
          <Printer aria-hidden />
          Stampa foglio
        </Button>
        {notes.length > 0 ? (
          <label className="flex min-h-11 items-center gap-2 text-sm md:min-h-9 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={withNotes}
              onChange={({ target }) => setWithNotes(target.checked)}
              className="size-4.5 accent-accent"
            />
            con le note private
          </label>
        ) : null}
      </div>
      <CopyButton label="Copia link" text={orderAddress(order.recordId)} />
      {issueLinks && order.status !== 'Annullato' ? (
        <Button
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => issueLinks([order.recordId], currentTarget)}
        >
          <Send aria-hidden />
          Invia link Priority
        </Button>
      ) : null}
      {printing ? (
        <OrderSlip
          order={order}
          notes={withNotes ? notes : []}
          onPrinted={() => setPrinting(false)}
        />
      ) : null}
    </div>
  )
}
