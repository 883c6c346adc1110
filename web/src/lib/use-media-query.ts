import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches; re-renders when that changes. Use the breakpoints of the style sheet. */
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
 * From this width on, lists are tables and the navigation links are in the top bar. It equals the `lg` breakpoint of
 * the style sheet, in rem, so that both change together also with a larger font size. Paper has tables, upright too.
 */
export const WIDE = '(min-width: 64rem), print'
