import { type KeyboardEvent, startTransition, useOptimistic, useRef } from 'react'
import { cn } from './class-names.ts'

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

type TabsProps<Tab extends string> = {
  label: string
  tabs: readonly { id: Tab; text: string }[]
  selected: Tab
  /** Id of the panel whose content the tabs change. */
  panelId: string
  onSelect: (tab: Tab) => void
}

/** Tabs in a row. The arrow keys move between them. */
export function Tabs<Tab extends string>(props: TabsProps<Tab>) {
  const { label, tabs, panelId, onSelect } = props
  const row = useRef<HTMLDivElement>(null)
  const [selected, press] = useOptimistic(props.selected)

  /** The tab is shown as selected at once, also where its content takes long to draw. */
  function select(tab: Tab) {
    startTransition(() => {
      press(tab)
      onSelect(tab)
    })
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const here = tabs.findIndex(({ id }) => id === selected)
    const at = (here + step + tabs.length) % tabs.length
    const next = tabs[at]
    if (next === undefined) return
    row.current?.querySelectorAll('button')[at]?.focus()
    select(next.id)
  }

  return (
    <div
      ref={row}
      role="tablist"
      aria-label={label}
      className="flex border-b sm:gap-1 border-line max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:[scrollbar-width:none]"
    >
      {tabs.map(({ id, text }) => {
        const isSelected = id === selected
        return (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={isSelected}
            aria-controls={panelId}
            tabIndex={isSelected ? 0 : -1}
            onClick={() => select(id)}
            onKeyDown={onKeyDown}
            className={cn(
              '-mb-px h-11 shrink-0 rounded-t-control border-b-2 px-2 text-sm font-medium whitespace-nowrap tabular-nums transition-colors duration-150 sm:px-3.5',
              isSelected
                ? 'border-accent text-accent'
                : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {text}
          </button>
        )
      })}
    </div>
  )
}
