import { type RefObject, useLayoutEffect, useRef } from 'react'

function focusOn({ current }: RefObject<HTMLElement | null>) {
  current?.focus()
}

/**
 * For an element that is removed without a user action: if the focus is inside it then, it moves to `fallback`
 * instead of the top of the page.
 *
 * @returns the ref of the element that is removed
 */
export function useFocusFallback(fallback: RefObject<HTMLElement | null>) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      // In development React runs effects twice without removing the element.
      queueMicrotask(() => {
        if (!element.isConnected) focusOn(fallback)
      })
    }
  }, [fallback])
  return ref
}
