import { type KeyboardEvent, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { OfferTab } from './offers-address.ts'

const labels: Record<OfferTab, string> = {
  tutte: 'Tutte',
  attive: 'Attive',
  inattive: 'Inattive',
  archivio: 'Archivio',
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

type OfferTabsProps = {
  tab: OfferTab
  counts: Record<OfferTab, number> | null
  /** Id of the list that the tabs filter. */
  panelId: string
  onTab: (tab: OfferTab) => void
}

/** Tabs that filter the list. */
export function OfferTabs({ tab, counts, panelId, onTab }: OfferTabsProps) {
  const row = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = OfferTab.options
    const at = (all.indexOf(tab) + step + all.length) % all.length
    const next = all[at]
    if (next === undefined) return
    row.current?.querySelectorAll('button')[at]?.focus()
    onTab(next)
  }

  return (
    <div
      ref={row}
      role="tablist"
      aria-label="Quali offerte"
      className="flex border-b sm:gap-1 border-line max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:[scrollbar-width:none]"
    >
      {OfferTab.options.map((each) => {
        const selected = each === tab
        return (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={selected}
            aria-controls={panelId}
            tabIndex={selected ? 0 : -1}
            onClick={() => onTab(each)}
            onKeyDown={onKeyDown}
            className={cn(
              '-mb-px h-11 shrink-0 rounded-t-control border-b-2 px-2 text-sm font-medium whitespace-nowrap tabular-nums transition-colors duration-150 sm:px-3.5',
              selected
                ? 'border-accent text-accent'
                : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {counts ? `${labels[each]} (${formatNumber(counts[each])})` : labels[each]}
          </button>
        )
      })}
    </div>
  )
}
