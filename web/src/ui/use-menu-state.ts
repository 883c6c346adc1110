import { type RefObject, useEffect, useState } from 'react'

/** How the menu was opened: a hovered one closes by leaving, and has not taken the focus. */
type Way = 'hover' | 'click' | 'keys'

type Parts = {
  root: RefObject<HTMLElement | null>
  button: RefObject<HTMLElement | null>
  list: RefObject<HTMLElement | null>
}

export type MenuState = ReturnType<typeof useMenuState>

export function useMenuState({ root, button, list }: Parts) {
  const [way, setWay] = useState<Way | null>(null)
  const open = way !== null

  useEffect(() => {
    if (way === 'click') list.current?.focus()
  }, [way, list])

  useEffect(() => {
    if (!open) return
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setWay(null)
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [open, root])

  function hide() {
    if (list.current?.contains(document.activeElement)) button.current?.focus()
    setWay(null)
  }

  return {
    open,
    show: (how: Way) => setWay((before) => before ?? how),
    hide,
    leave: () => setWay((before) => (before === 'hover' ? null : before)),
    /** The button was pressed: opens, keeps open what hovering opened, or closes. */
    press: () => (way === null || way === 'hover' ? setWay('click') : hide()),
  }
}
