import { dayOf } from '@bancone/contract/dates'
import { orderLines } from '@bancone/contract/order-lines'
import { expectOrderOn, keepOrderUntil } from '@bancone/contract/order-pickup'
import type { OrderPickup } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
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
  className: string
  save: (day: string | null) => Promise<unknown>
}

/** A day that is noted beside the pickup state. */
function DayField({ order, label, done, day, className, save }: DayFieldProps) {
  const { recordId, number } = order
  const client = useQueryClient()
  const now = useNow()
  const input = useRef<HTMLInputElement>(null)

  // A colleague's day, unless one is being typed here.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = day ?? ''
  }, [day])

  const about = `${label}-${recordId}`

  async function change(wanted: string | null) {
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

  /** What is no day to come was never saved, and does not stay as if it were. */
  function dropInvalid(field: HTMLInputElement) {
    if (field.validity.valid) return
    field.value = day ?? ''
    toastError(`Ordine ${number}: data non salvata`, {
      about,
      description: 'Scegli oggi o un giorno futuro.',
    })
  }

  return (
    <label className={cn('flex items-center gap-2 text-sm', className)}>
      {label}
      <input
        ref={input}
        type="date"
        defaultValue={day ?? ''}
        min={dayOf(now)}
        className="h-11 rounded-control border border-line-strong bg-surface px-2 max-md:text-base md:h-9 pointer-coarse:h-11"
        // At once, and not when the field is left: closing the details would lose the day.
        onChange={({ target }) => {
          if (target.validity.valid) void change(target.value || null)
        }}
        onBlur={({ target }) => dropInvalid(target)}
      />
    </label>
  )
}

type DayProps = Pick<DayFieldProps, 'order' | 'className'>

/** For the day until which a ready order is kept for its customer. */
function KeptUntil({ order, className }: DayProps) {
  const { mutateAsync } = useEndpointMutation(keepOrderUntil)
  const { recordId, keptUntil } = order
  return (
    <DayField
      order={order}
      label="Tieni fino al"
      done="tenuto fino al"
      day={keptUntil}
      className={className}
      save={(until) => mutateAsync({ params: { recordId }, body: { until } })}
    />
  )
}

/** For the day on which an order, or the rest of it, is expected. */
function ExpectedOn({ order, className }: DayProps) {
  const { mutateAsync } = useEndpointMutation(expectOrderOn)
  const { recordId, partly, expectedOn } = order
  return (
    <DayField
      order={order}
      label={partly ? 'Il resto atteso il' : 'Atteso il'}
      done="atteso il"
      day={expectedOn}
      className={className}
      save={(day) => mutateAsync({ params: { recordId }, body: { day } })}
    />
  )
}

/**
 * Whether the order is ready or collected, with the next step and a way back. Where its lines can be marked the field is
 * as high before as after: the lines are below it, and would move under the pointer that marks them.
 */
export function PickupField({ order }: { order: OrderView }) {
  const { change, busy } = useChangePickup()
  const group = useRef<HTMLDivElement>(null)
  const { pickup, pickupAt } = order
  const lines = orderLines(order.text).length
  const isMarkable = lines > 1

  const mark = (to: OrderPickup, label = pickupNames[to], look?: 'quiet') => (
    <Button
      key={to}
      inactive={busy}
      look={look}
      className={cn(look && 'max-md:px-2')}
      // The second click of a double click would press what is there by then.
      onClick={({ detail }) => {
        if (detail > 1) return
        // The button disappears.
        group.current?.focus({ preventScroll: true })
        void change(order, to)
      }}
    >
      {label}
    </Button>
  )

  return (
    <div
      ref={group}
      role="group"
      aria-label="Ritiro"
      tabIndex={-1}
      className="mt-2 flex flex-col gap-1.5 outline-none print:hidden"
    >
      <span role="status" className="empty:hidden">
        {pickupAt === null ? (
          (partlyText(order) ?? (isMarkable ? `0 di ${lines} pronti` : null))
        ) : (
          <>
            {pickupPhrases[pickup]} <Moment value={pickupAt} />
          </>
        )}
      </span>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        {pickupAt === null ? (
          <>
            {mark('ready')}
            <ExpectedOn order={order} className={isMarkable ? 'w-full' : 'ml-1'} />
          </>
        ) : pickup === 'ready' ? (
          <>
            {mark('collected')}
            {mark('put_back')}
            {mark('none', undefined, 'quiet')}
            <KeptUntil order={order} className="w-full" />
          </>
        ) : (
          mark('ready', 'Di nuovo pronto', 'quiet')
        )}
      </div>
    </div>
  )
}
