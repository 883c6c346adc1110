import { dayOf } from '@bancone/contract/dates'
import { expectOrderOn, keepOrderUntil } from '@bancone/contract/order-pickup'
import type { OrderPickup } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { useChangePickup } from '../change/use-change-pickup.ts'
import { Moment } from '../data/detail.tsx'
import { type OrderView, partlyText, pickupNames } from '../data/order-view.ts'
import { invalidateOrderPages } from '../data/orders-cache.ts'

const pickupPhrases: Record<OrderPickup, string> = {
  none: '',
  ready: 'Pronto dal',
  collected: 'Ritirato il',
  put_back: 'Rimesso a posto il',
}

type DayFieldProps = {
  order: OrderView
  label: string
  /** What is said of an order with a day, before the day. */
  done: string
  day: string | undefined
  save: (day: string | null) => Promise<unknown>
}

/** A day that is noted beside the pickup state. */
function DayField({ order: { recordId, number }, label, done, day, save }: DayFieldProps) {
  const client = useQueryClient()
  const now = useNow()
  const input = useRef<HTMLInputElement>(null)

  // A colleague's day, unless one is being typed here.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = day ?? ''
  }, [day])

  async function change(wanted: string | null) {
    const about = `${label}-${recordId}`
    try {
      await save(wanted)
      const shown = wanted?.split('-').reverse().join('/')
      toastSuccess(`Ordine ${number}: ${shown ? `${done} ${shown}` : 'senza data'}`, { about })
    } catch (error) {
      toastError(`Ordine ${number}: modifica non salvata`, {
        about,
        description: errorMessage(error),
      })
    }
    await invalidateOrderPages(client)
  }

  return (
    <label className="flex min-h-11 items-center gap-2 text-sm md:min-h-9">
      {label}
      <input
        ref={input}
        type="date"
        defaultValue={day ?? ''}
        min={dayOf(now)}
        className="h-9 rounded-control border border-line-strong bg-surface px-2"
        // At once, and not when the field is left: closing the details would lose the day.
        onChange={({ target }) => {
          if (target.validity.valid) void change(target.value || null)
        }}
      />
    </label>
  )
}

/** For the day until which a ready order is kept for its customer. */
function KeptUntil({ order }: { order: OrderView }) {
  const { mutateAsync } = useEndpointMutation(keepOrderUntil)
  const { recordId, keptUntil } = order
  return (
    <DayField
      order={order}
      label="Tieni fino al"
      done="tenuto fino al"
      day={keptUntil}
      save={(until) => mutateAsync({ params: { recordId }, body: { until } })}
    />
  )
}

/** For the day on which an order, or the rest of it, is expected. */
function ExpectedOn({ order }: { order: OrderView }) {
  const { mutateAsync } = useEndpointMutation(expectOrderOn)
  const { recordId, partly, expectedOn } = order
  return (
    <DayField
      order={order}
      label={partly ? 'Il resto atteso il' : 'Atteso il'}
      done="atteso il"
      day={expectedOn}
      save={(day) => mutateAsync({ params: { recordId }, body: { day } })}
    />
  )
}

/** Whether the order is ready or collected, with the next step and a way back. */
export function PickupField({ order }: { order: OrderView }) {
  const { change, busy } = useChangePickup()
  const { pickup, pickupAt } = order
  const mark = (to: OrderPickup, look?: 'quiet') => (
    <Button inactive={busy} look={look} onClick={() => void change(order, to)}>
      {to === 'ready' && look ? 'Annulla' : pickupNames[to]}
    </Button>
  )
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">
      <span role="status" className="empty:hidden">
        {pickupAt === null ? (
          partlyText(order)
        ) : (
          <>
            {pickupPhrases[pickup]} <Moment value={pickupAt} />
          </>
        )}
      </span>
      {pickupAt === null ? (
        <>
          {mark('ready')}
          <ExpectedOn order={order} />
        </>
      ) : (
        <>
          {pickup === 'ready' ? mark('collected') : null}
          {mark(pickup === 'ready' ? 'none' : 'ready', 'quiet')}
          {pickup === 'ready' ? (
            <>
              <Button inactive={busy} onClick={() => void change(order, 'put_back')}>
                {pickupNames.put_back}
              </Button>
              <KeptUntil order={order} />
            </>
          ) : null}
        </>
      )}
    </div>
  )
}
