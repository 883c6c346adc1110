import { LINE_END, type OrderLine, orderLines } from '@bancone/contract/order-lines'
import { changeOrderLine } from '@bancone/contract/order-pickup'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { cn } from '../../../ui/class-names.ts'
import { WithCodesMarked } from '../../../ui/prescriptions.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { type OrderView, pickupNames } from '../data/order-view.ts'
import { invalidateOrderPages } from '../data/orders-cache.ts'

/** Marks lines of an order as there. Until that is stored, `pending` says which ones are wanted to be. */
function useMarkLine({ recordId, number }: OrderView) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changeOrderLine)
  const [pending, setPending] = useState<ReadonlyMap<number, boolean>>(new Map())

  async function mark(line: OrderLine, isThere: boolean, isUndo = false) {
    const about = 'pickup'
    const { place } = line
    setPending((others) => new Map(others).set(place, isThere))
    try {
      const { from, to } = await mutateAsync({ params: { recordId }, body: { ...line, isThere } })
      const done = isUndo ? 'modifica annullata' : pickupNames[to]
      const action = { label: 'Annulla modifica', run: () => void mark(line, !isThere, true) }
      if (from !== to)
        toastSuccess(`Ordine ${number}: ${done}`, { about, ...(isUndo ? {} : { action }) })
    } catch (error) {
      const description = errorMessage(error)
      toastError(`Ordine ${number}: modifica non salvata`, { about, description })
    }
    await invalidateOrderPages(client)
    setPending((others) => new Map([...others].filter(([other]) => other !== place)))
  }

  return { pending, mark }
}

/** The text of an order, with its lines to be marked as there if there are several. */
export function OrderText({ order }: { order: OrderView }) {
  const { product, text, pickup, partly, status } = order
  const { pending, mark } = useMarkLine(order)
  const lines = orderLines(text)
  const isOpen = pickup === 'ready' || (pickup === 'none' && status !== 'Annullato')
  if (lines.length < 2 || !isOpen) return <Plain text={product ?? ''} />
  const all = text.split(LINE_END)
  const pieces: ReactNode[] = []
  let next = 0
  const addPlain = (end: number) => {
    const other = all.slice(next, end).join('\n').trim()
    if (other) pieces.push(<Plain key={`before ${end}`} text={other} className="pl-7" />)
  }
  for (const line of lines) {
    const { place } = line
    const isStored = pickup === 'ready' || partly?.there.includes(place) === true
    const isThere = pending.get(place) ?? isStored
    addPlain(place)
    pieces.push(
      <label
        key={place}
        className="-mx-1 flex min-h-9 items-center gap-2.5 rounded px-1 py-1 hover:bg-sunken pointer-coarse:min-h-11"
      >
        <input
          type="checkbox"
          checked={isThere}
          aria-disabled={pending.has(place)}
          onChange={() => (pending.has(place) ? undefined : void mark(line, !isThere))}
          className="size-4.5 shrink-0 accent-accent"
        />
        <span>
          <WithCodesMarked text={line.text} />
        </span>
      </label>,
    )
    next = place + 1
  }
  addPlain(all.length)
  return (
    <fieldset>
      <legend className="sr-only">Righe pronte</legend>
      {pieces}
    </fieldset>
  )
}

function Plain({ text, className }: { text: string; className?: string }) {
  return (
    <span className={cn('block whitespace-pre-line', className)}>
      <WithCodesMarked text={text} />
    </span>
  )
}
