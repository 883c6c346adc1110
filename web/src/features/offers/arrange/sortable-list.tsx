import type { Day } from '@bancone/contract/dates'
import { formatPrice } from '@bancone/contract/money'
import type { OfferRecord } from '@bancone/contract/offers'
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type ScreenReaderInstructions,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { HostedImage } from '../../../ui/hosted-image.tsx'
import { stateOf } from '../offer-lists.ts'
import { shownDay } from '../offer-texts.ts'
import { moved } from './shown-order.ts'

/** Pixels that the pointer moves before it counts as a drag. */
const DRAG_PX = 4

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

type SortableListProps = {
  offers: readonly OfferRecord[]
  today: Day
  /** Called when a drag starts or ends. */
  onDragging: (dragging: boolean) => void
  onOrder: (offers: OfferRecord[]) => void
}

export function SortableList({ offers, today, onDragging, onOrder }: SortableListProps) {
  const [said, setSaid] = useState('')
  const [announcements] = useState(createAnnouncements)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const place = (id: unknown) => offers.findIndex((offer) => offer.id === id)
  const named = offers.map(({ id, fields }) => ({ id, name: fields.Nome_Prodotto }))

  function noteOf(offer: OfferRecord): string | null {
    if (stateOf(offer, today) !== 'scheduled') return null
    return `Programmata dal ${shownDay(offer.fields.Data_Inizio)}`
  }

  function drop({ active, over }: DragEndEvent) {
    end()
    if (over && over.id !== active.id) onOrder(moved(offers, place(active.id), place(over.id)))
  }

  /** The key that ended the drag must not have another effect. */
  function end() {
    setTimeout(onDragging, 0, false)
  }

  function step(offer: OfferRecord, to: number) {
    onOrder(moved(offers, place(offer.id), to))
    setSaid(`«${offer.fields.Nome_Prodotto}» è ora ${placeText(to, offers.length)}.`)
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      accessibility={{
        announcements: announcements(named),
        screenReaderInstructions: instructions,
      }}
      onDragStart={() => onDragging(true)}
      onDragEnd={drop}
      onDragCancel={end}
    >
      <SortableContext items={named} strategy={verticalListSortingStrategy}>
        <ol aria-label="Offerte nel loro ordine" className="flex flex-col gap-2">
          {offers.map((offer, index) => (
            <SortableOffer
              key={offer.id}
              offer={offer}
              place={index}
              count={offers.length}
              note={noteOf(offer)}
              onMove={(to) => step(offer, to)}
            />
          ))}
        </ol>
      </SortableContext>
      <p role="status" className="sr-only">
        {said}
      </p>
    </DndContext>
  )
}

const instructions: ScreenReaderInstructions = {
  draggable:
    "Premi spazio o Invio per prendere l'offerta, le frecce su e giù per spostarla, di nuovo spazio o Invio per lasciarla, Esc per annullare.",
}

/** 'al posto 2 di 5' */
function placeText(place: number, count: number): string {
  return `al posto ${place + 1} di ${count}`
}

/** Announcements for screen readers while an offer is dragged, by the order at the start of the drag. */
function createAnnouncements() {
  /** The drag has just begun. */
  let begun = false

  return (all: readonly { id: string; name: string }[]): Announcements => {
    const name = (id: UniqueIdentifier) => `«${all.find((each) => each.id === id)?.name ?? ''}»`
    const place = (id: UniqueIdentifier) =>
      placeText(
        all.findIndex((each) => each.id === id),
        all.length,
      )
    return {
      onDragStart({ active }) {
        begun = true
        return `Hai preso ${name(active.id)}, ${place(active.id)}.`
      },
      onDragOver({ active, over }) {
        // The first position is the offer's own: announcing it would replace the announcement of the start.
        const still = begun && over?.id === active.id
        begun = false
        return over && !still ? `${name(active.id)} è ora ${place(over.id)}.` : undefined
      },
      onDragEnd: ({ active, over }) =>
        `Hai lasciato ${name(active.id)} ${place((over ?? active).id)}.`,
      onDragCancel: ({ active }) =>
        `Spostamento annullato: ${name(active.id)} torna ${place(active.id)}.`,
    }
  }
}

type SortableOfferProps = {
  offer: OfferRecord
  /** From 0. */
  place: number
  count: number
  /** Short note of a special state; null when there is none. */
  note: string | null
  onMove: (to: number) => void
}

/** An offer that can be moved: by its handle, or step by step. */
function SortableOffer({ offer, place, count, note, onMove }: SortableOfferProps) {
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
      <HostedImage
        variant="thumbnail"
        alt=""
        url={url}
        className="size-11 shrink-0 rounded-md border border-line"
      />
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
