import { selectOrders } from '@bancone/contract/bulk-changes'
import { MAX_SELECTED_ORDERS, type OrdersSearchFilter } from '@bancone/contract/order-search'
import { OrderStatus, type OrdersPage } from '@bancone/contract/orders'
import { LoaderCircle, Send, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { toastError } from '../../../ui/toast.ts'
import { useIssueLinks } from '../data/order-links.ts'
import { statusLook } from '../data/order-status.tsx'
import { pickupNames } from '../data/order-view.ts'
import { focusOrders } from '../data/orders-focus.ts'
import type { KnownPagination } from '../data/use-order-counts.ts'
import type { SelectionState } from '../data/use-selection.ts'
import { selectedText } from '../data/use-selection.ts'
import type { BulkChange, BulkProgress } from './use-bulk-change.ts'
import { useChangePickup } from './use-change-pickup.ts'

type BulkBarProps = SelectAllProps & { bulk: BulkChange }

function progressText({ kind, done, total }: BulkProgress): string {
  const what = kind === 'change' ? 'Cambio lo stato' : 'Annullo la modifica'
  return `${what}: ${formatNumber(done)} di ${formatNumber(total)}`
}

function restingText(selected: number, broken: boolean): string {
  return selected === 0 && broken ? 'Modifica interrotta' : selectedText(selected)
}

/** Toolbar with the actions for the selected orders, fixed at the bottom of the window. */
export function BulkBar({ bulk, ...offer }: BulkBarProps) {
  const { progress, interrupted } = bulk
  const { selection, full } = offer.selection
  const [isExpanded, setExpanded] = useState(false)
  const bar = useRef<HTMLElement>(null)
  const issueLinks = useIssueLinks()
  const pickup = useChangePickup()
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement)) focusOrders()
    }
  }, [])

  /** The pressed button disappears: the focus moves to the bar. */
  function begin(work: () => void) {
    bar.current?.focus({ preventScroll: true })
    work()
  }

  return (
    <section
      ref={bar}
      tabIndex={-1}
      data-bulk-bar
      aria-label="Ordini selezionati"
      className={cn(
        'sticky bottom-[max(12px,env(safe-area-inset-bottom))] z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border',
        'animate-fade-in border-line-strong bg-surface p-2.5 shadow-float outline-none lg:p-2 lg:pl-4 print:hidden',
      )}
    >
      <p
        role="status"
        className="flex min-h-9 items-center gap-2 font-medium tabular-nums max-lg:flex-1 max-lg:pl-1"
      >
        {progress ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : null}
        {progress ? progressText(progress) : restingText(selection.size, interrupted)}
        {full && !progress ? <span className="text-muted">il massimo insieme</span> : null}
      </p>
      <SelectAllButton {...offer} inactive={progress !== null} />
      {selection.size > 0 && !progress ? (
        <>
          <Button
            look="primary"
            size="large"
            className="max-lg:order-2 max-lg:w-full lg:hidden"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            Cambia stato
          </Button>
          <div
            role="group"
            aria-label="Cambia lo stato degli ordini selezionati"
            className={cn(
              'gap-2 max-lg:order-2 max-lg:w-full max-lg:grid-cols-2 lg:flex lg:flex-wrap',
              isExpanded ? 'max-lg:grid' : 'max-lg:hidden',
            )}
          >
            {OrderStatus.options.map((status) => (
              <StatusButton
                key={status}
                status={status}
                onPress={() => begin(() => bulk.change(status))}
              />
            ))}
          </div>
          <div
            role="group"
            aria-label="Ritiro degli ordini selezionati"
            className="flex gap-2 max-lg:order-2 max-lg:w-full"
          >
            {(['ready', 'collected'] as const).map((to) => (
              <Button
                key={to}
                className="max-lg:flex-1"
                inactive={pickup.busy}
                onClick={() => begin(() => void pickup.changeMany([...selection.keys()], to))}
              >
                {pickupNames[to]}
              </Button>
            ))}
          </div>
          {issueLinks ? (
            <Button
              aria-haspopup="dialog"
              className="max-lg:order-2 max-lg:w-full"
              onClick={({ currentTarget }) => issueLinks([...selection.keys()], currentTarget)}
            >
              <Send aria-hidden />
              Invia link Priority
            </Button>
          ) : null}
        </>
      ) : null}
      <div className="flex gap-2 max-lg:order-1 lg:ml-auto">
        {interrupted ? (
          <Button look="primary" onClick={() => begin(bulk.retry)}>
            Riprova
          </Button>
        ) : null}
        <Button
          look="quiet"
          className="max-lg:px-2"
          inactive={progress !== null}
          onClick={bulk.clear}
        >
          <X aria-hidden />
          Deseleziona
        </Button>
      </div>
    </section>
  )
}

function StatusButton({ status, onPress }: { status: OrderStatus; onPress: () => void }) {
  const { icon: Icon, pill } = statusLook(status)
  return (
    <button
      type="button"
      onClick={onPress}
      className={cn(
        'inline-flex min-h-11 items-center gap-1.5 rounded-full border px-3 py-1 text-left text-sm leading-tight',
        'font-medium transition-colors duration-150 hover:brightness-97 dark:hover:brightness-115',
        'max-lg:last:col-span-2 max-lg:last:justify-center lg:min-h-9 pointer-coarse:min-h-11',
        pill,
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {status}
    </button>
  )
}

type SelectAllProps = {
  selection: SelectionState
  page: OrdersPage | undefined
  pagination: KnownPagination | null
  /** The filter of the list. */
  filter: OrdersSearchFilter
}

function buttonText(total: number | null): string {
  if (total === null) return `Seleziona tutti gli ordini, al massimo ${MAX_SELECTED_ORDERS}`
  if (total > MAX_SELECTED_ORDERS) return `Seleziona i ${MAX_SELECTED_ORDERS} più recenti`
  return `Seleziona tutti: ${formatNumber(total)} ordini`
}

/** Shown when the whole page is selected: selects the orders of the other pages too. */
function SelectAllButton(props: SelectAllProps & { inactive: boolean }) {
  const { page, pagination, filter, inactive } = props
  const { ofPage, selection, full, select } = props.selection
  const [asking, setAsking] = useState(false)
  if (!page || !pagination || ofPage !== 'all' || full) return null
  const total = pagination.totalRecords
  const onePage = !pagination.hasNextPage && pagination.currentPage === 1
  if (onePage || (total !== null && selection.size >= total)) return null

  async function selectAll(button: HTMLElement) {
    setAsking(true)
    try {
      const { orders } = await call(selectOrders, { body: filter })
      // The button disappears: the focus stays in the bar.
      button.closest<HTMLElement>('[data-bulk-bar]')?.focus({ preventScroll: true })
      select(orders.map(({ recordId, status }) => [recordId, { number: null, status }]))
    } catch (error) {
      toastError('Impossibile selezionare gli altri ordini', {
        about: 'selection',
        description: errorMessage(error),
      })
    } finally {
      setAsking(false)
    }
  }

  return (
    <Button
      look="link"
      size="bare"
      className="min-h-11 max-lg:order-2 max-lg:w-full max-lg:justify-start max-lg:px-1 lg:min-h-9"
      inactive={inactive || asking}
      onClick={({ currentTarget }) => void selectAll(currentTarget)}
    >
      {buttonText(total)}
    </Button>
  )
}
