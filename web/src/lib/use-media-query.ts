import { useCallback, useSyncExternalStore } from 'react'

/** Follows a media query; the widths are those of the style sheet's breakpoints. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/**
 * From here on lists are tables and the links stand in the bar. It is the style sheet's `lg`, and in rem
 * as there, so that both change at the same width also where the browser's letters are larger.
 */
export const WIDE = '(min-width: 64rem)'
