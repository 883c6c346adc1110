import type { Announcements, ScreenReaderInstructions, UniqueIdentifier } from '@dnd-kit/core'

export const instructions: ScreenReaderInstructions = {
  draggable:
    "Premi spazio o Invio per prendere l'offerta, le frecce su e giù per spostarla, di nuovo spazio o Invio per lasciarla, Esc per annullare.",
}

/** 'al posto 2 di 5' */
export function placeText(place: number, count: number): string {
  return `al posto ${place + 1} di ${count}`
}

/** Announcements for screen readers while an offer is dragged, by the order at the start of the drag. */
export function createAnnouncements() {
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
