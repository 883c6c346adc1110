import { ChevronDown, ChevronUp } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { Neighbours } from '../use-order-editing.ts'

type NeighbourButtonsProps = {
  neighbours: Neighbours
  /** Number of the shown order, for screen readers: the focus stays on the button. */
  shown: string | null
}

/** Buttons to the order above and below in the list. An order that is not in the list has none. */
export function NeighbourButtons({ neighbours, shown }: NeighbourButtonsProps) {
  const { previous, next, open } = neighbours
  if (!previous && !next) return null
  return (
    <span className="flex print:hidden">
      <Button
        look="quiet"
        size="square"
        aria-label="Ordine precedente"
        title="Ordine precedente (k)"
        inactive={!previous}
        onClick={() => open(-1)}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button
        look="quiet"
        size="square"
        aria-label="Ordine successivo"
        title="Ordine successivo (j)"
        inactive={!next}
        onClick={() => open(1)}
      >
        <ChevronDown aria-hidden />
      </Button>
      <span role="status" className="sr-only">
        {shown === null ? '' : `Ordine ${shown}`}
      </span>
    </span>
  )
}
