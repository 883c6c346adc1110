import type { ReactNode } from 'react'
import { useArrivalFocus } from '../lib/use-arrival-focus.ts'

type PageTitleProps = {
  /** It takes the place of what had the focus, on the same page. */
  takesFocus?: boolean | undefined
  children: ReactNode
}

/** The heading of a page, which takes the focus when one comes to it from another. */
export function PageTitle({ takesFocus, children }: PageTitleProps) {
  const heading = useArrivalFocus(takesFocus)
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
