import { type PointerEvent, useEffect, useRef } from 'react'

const HOVER_DELAY_MS = 100

type HoverIntent = { open: boolean; onEnter: () => void; onLeave: () => void }

/** Handlers that act after a mouse has rested on an element, or has left it, for 100 ms. */
export function useHoverIntent({ open, onEnter, onLeave }: HoverIntent) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function after(event: PointerEvent, action: () => void) {
    if (event.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(action, HOVER_DELAY_MS)
  }
  return {
    onPointerEnter: (event: PointerEvent) => after(event, () => (open ? undefined : onEnter())),
    onPointerLeave: (event: PointerEvent) => after(event, onLeave),
  }
}
