import type { OrderNote } from '@bancone/contract/order-details'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
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
  const [withNotes, setWithNotes] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1 print:hidden">
      <Button onClick={() => setPrinting(true)}>
        <Printer aria-hidden />
        Stampa foglio
      </Button>
      <CopyButton label="Copia link" text={orderAddress(order.recordId)} />
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
