import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** How the menu was opened. A menu opened on hover has not taken the focus, and closes when the mouse leaves. */
type OpenedBy = 'hover' | 'click' | 'keys'

type Parts = {
  root: RefObject<HTMLElement | null>
  button: RefObject<HTMLElement | null>
  list: RefObject<HTMLElement | null>
}

export type MenuState = ReturnType<typeof useMenuState>

export function useMenuState({ root, button, list }: Parts) {
  const [openedBy, setOpenedBy] = useState<OpenedBy | null>(null)
  const open = openedBy !== null

  useEffect(() => {
    if (openedBy === 'click') list.current?.focus()
  }, [openedBy, list])

  useEffect(() => {
    if (!open) return
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpenedBy(null)
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [open, root])

  // A menu opened on hover closes by itself, and Back is meant for the page.
  const hasEntry = open && openedBy !== 'hover'
  const close = useEffectEvent(hide)
  useEffect(() => {
    if (!hasEntry) return undefined
    let end: (() => void) | null = null
    let isOpen = true
    // Needed after the page is shown.
    void import('../lib/layers.ts')
      .then(({ openLayer }) => {
        if (isOpen) end = openLayer(() => close())
      })
      .catch(() => undefined)
    return () => {
      isOpen = false
      end?.()
    }
  }, [hasEntry])

  function hide() {
    if (list.current?.contains(document.activeElement)) button.current?.focus()
    setOpenedBy(null)
  }

  return {
    open,
    show: (how: OpenedBy) => setOpenedBy((before) => before ?? how),
    hide,
    leave: () => setOpenedBy((before) => (before === 'hover' ? null : before)),
    /** A click on the button: opens, keeps open after hover, or closes. */
    press: () => (openedBy === null || openedBy === 'hover' ? setOpenedBy('click') : hide()),
  }
}
