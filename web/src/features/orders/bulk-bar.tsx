import { OrderStatus } from '@bancone/contract/orders'
import { LoaderCircle, Send, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { useIssueLinks } from './order-links.ts'
import { statusLook } from './order-status.ts'
import { focusOrders } from './orders-focus.ts'
import { SelectAllButton, type SelectAllProps } from './select-all-button.tsx'
import { selectedText } from './selection-texts.ts'
import type { BulkChange, BulkProgress } from './use-bulk-change.ts'

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
