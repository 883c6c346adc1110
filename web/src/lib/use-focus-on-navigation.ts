import { type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'

/**
 * Moves the focus to the heading after a navigation from another page, so that a screen reader starts reading there.
 *
 * @param always also after a page load: for a heading that replaces the element with the focus
 */
export function useFocusOnNavigation(always = false): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const navigationType = useNavigationType()
  // Fixed at the first render: a navigation within the page does not move the focus.
  const [isNavigation] = useState(navigationType !== 'POP')
  const takes = isNavigation || always
  useEffect(() => {
    if (takes) heading.current?.focus({ preventScroll: true })
  }, [takes])
  return heading
}
