import type { ReactNode } from 'react'
import { useFocusOnNavigation } from '../lib/use-focus-on-navigation.ts'

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
