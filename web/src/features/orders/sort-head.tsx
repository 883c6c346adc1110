import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { cn } from '../../ui/class-names.ts'
import type { SortableHead } from './sorting.ts'

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }

/** The header of a column; a button where the list can be sorted by it. */
export function SortHead({ name, head }: { name: string; head: SortableHead | undefined }) {
  if (!head) return name
  const Icon = icons[head.order]
  return (
    <button
      type="button"
      onClick={head.sort}
      className={cn(
        '-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-md px-1.5 font-medium hover:text-ink pointer-coarse:min-h-11',
        head.order !== 'none' && 'text-ink',
      )}
    >
      {name}
      <Icon aria-hidden className="size-3.5 shrink-0 print:hidden" />
    </button>
  )
}
