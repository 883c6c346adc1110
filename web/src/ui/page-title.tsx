import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'

type PageTitleProps = {
  /** Focus it after a page load too: it replaces the element that had the focus. */
  takesFocus?: boolean | undefined
  children: ReactNode
}

/** The `h1` of a page, which gets the focus after a navigation. */
export function PageTitle({ takesFocus, children }: PageTitleProps) {
  const heading = useFocusOnNavigation(takesFocus)
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="text-2xl leading-tight font-medium tracking-tight outline-none"
    >
      {children}
    </h1>
  )
}

/**
 * Moves the focus to the heading after a navigation from another page, so that a screen reader starts reading there.
 *
 * @param always also after a page load: for a heading that replaces the element with the focus
 */
function useFocusOnNavigation(always = false): RefObject<HTMLHeadingElement | null> {
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
