import { formatPrice } from '@bancone/contract/money'
import type { OfferRecord } from '@bancone/contract/offers'
import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import type { OfferPicture } from '../offer-item.ts'

type SortableOfferProps = {
  offer: OfferRecord
  /** From 0. */
  place: number
  count: number
  /** Short note of a special state; null when there is none. */
  note: string | null
  Picture: OfferPicture
  onMove: (to: number) => void
}

/** An offer that can be moved: by its handle, or step by step. */
export function SortableOffer({ offer, place, count, note, Picture, onMove }: SortableOfferProps) {
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
  } = useSortable({ id: offer.id, attributes: { roleDescription: 'spostabile' } })
  const { Nome_Prodotto: name, Prezzo_Offerta: cents, URL_Immagine: url } = offer.fields
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        'relative flex items-center gap-1.5 rounded-card border border-line bg-surface py-1.5 pr-1.5',
        isDragging && 'z-10 border-accent shadow-float',
      )}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        {...attributes}
        {...listeners}
        aria-label={`Sposta ${name}`}
        className="grid h-12 w-9 shrink-0 cursor-grab touch-none place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink active:cursor-grabbing pointer-coarse:w-11"
      >
        <GripVertical aria-hidden className="size-5" />
      </button>
      <Picture url={url} className="size-11 shrink-0 rounded-md border border-line" />
      <div className="min-w-0 flex-1 pl-1">
        <p className="line-clamp-3 text-sm leading-snug font-medium wrap-anywhere">{name}</p>
        <p className="text-xs text-muted tabular-nums">
          {formatPrice(cents)}
          {note === null ? null : ` · ${note}`}
        </p>
      </div>
      <div className="flex shrink-0">
        <Button
          look="quiet"
          size="square"
          aria-label={`Sposta su ${name}`}
          inactive={place === 0}
          onClick={() => onMove(place - 1)}
        >
          <ArrowUp aria-hidden />
        </Button>
        <Button
          look="quiet"
          size="square"
          aria-label={`Sposta giù ${name}`}
          inactive={place === count - 1}
          onClick={() => onMove(place + 1)}
        >
          <ArrowDown aria-hidden />
        </Button>
      </div>
    </li>
  )
}
