import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { MenuState } from './use-menu-state.ts'

type Edge = 'first' | 'last'

function entries(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled])') ?? [])]
}

function focusEdge(list: HTMLElement | null, edge: Edge) {
  entries(list)
    .at(edge === 'first' ? 0 : -1)
    ?.focus()
}

/** Keyboard support of a menu button: arrows, Home, End, Escape, Tab, and the first letter of an item. */
export function useMenuKeys({
  list,
  menu,
}: {
  list: RefObject<HTMLElement | null>
  menu: MenuState
}) {
  // The item to focus once the list opened by a key is rendered.
  const edge = useRef<Edge | null>(null)
  useEffect(() => {
    if (menu.open && edge.current !== null) focusEdge(list.current, edge.current)
    edge.current = null
  }, [menu.open, list])

  function move(step: 1 | -1) {
    const all = entries(list.current)
    const at = all.findIndex((entry) => entry === document.activeElement)
    const next = at === -1 ? (step === 1 ? 0 : -1) : (at + step) % all.length
    all.at(next)?.focus()
  }

  function onArrow(step: 1 | -1) {
    if (menu.open) return move(step)
    edge.current = step === 1 ? 'first' : 'last'
    menu.show('keys')
  }

  return (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') onArrow(key === 'ArrowDown' ? 1 : -1)
    else if (!menu.open) return
    else if (key === 'Escape') menu.hide()
    else if (key === 'Home' || key === 'End')
      focusEdge(list.current, key === 'Home' ? 'first' : 'last')
    else if (key === 'Tab') return menu.hide()
    else if (/^\p{L}$/u.test(key)) {
      const letter = key.toLowerCase()
      entries(list.current)
        .find((entry) => entry.textContent.trim().toLowerCase().startsWith(letter))
        ?.focus()
    } else return
    event.preventDefault()
  }
}
