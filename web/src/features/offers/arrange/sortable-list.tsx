import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { useState } from 'react'
import type { OfferPicture } from '../offer-item.ts'
import { stateOf } from '../offer-lists.ts'
import { shownDay } from '../offer-texts.ts'
import { createAnnouncements, instructions, placeText } from './drag-texts.ts'
import { moved } from './shown-order.ts'
import { SortableOffer } from './sortable-offer.tsx'

/** Pixels that the pointer moves before it counts as a drag. */
const DRAG_PX = 4

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

type SortableListProps = {
  offers: readonly OfferRecord[]
  today: Day
  Picture: OfferPicture
  /** Called when a drag starts or ends. */
  onDragging: (dragging: boolean) => void
  onOrder: (offers: OfferRecord[]) => void
}

export function SortableList({ offers, today, Picture, onDragging, onOrder }: SortableListProps) {
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
              Picture={Picture}
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
