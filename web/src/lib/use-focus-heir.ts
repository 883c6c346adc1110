import { type RefObject, useLayoutEffect, useRef } from 'react'

function focusOn({ current }: RefObject<HTMLElement | null>) {
  current?.focus()
}

/**
 * For what goes by itself: when the focus is in it then, it goes on to `heir` and not to the top of the page.
 *
 * @returns for the element that goes
 */
export function useFocusHeir(heir: RefObject<HTMLElement | null>) {
  const going = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = going.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      // In development effects end and begin again, with nothing gone.
      queueMicrotask(() => {
        if (!element.isConnected) focusOn(heir)
      })
    }
  }, [heir])
  return going
}
