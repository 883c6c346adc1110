import { type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'

/**
 * For the heading of a page: takes the focus when one has come to it from another page, so that a screen
 * reader begins there and not at a place that is gone.
 *
 * @param always also when the page was loaded: for what takes the place of what had the focus
 */
export function useArrivalFocus(always = false): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const way = useNavigationType()
  // As it was when it came: going on within the page moves no focus.
  const [arrived] = useState(way !== 'POP')
  const takes = arrived || always
  useEffect(() => {
    if (takes) heading.current?.focus({ preventScroll: true })
  }, [takes])
  return heading
}
