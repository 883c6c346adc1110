import type { ReactNode, RefObject } from 'react'
import { useFocusFallback } from '../lib/use-focus-fallback.ts'

type FocusFallbackProps = {
  to: RefObject<HTMLElement | null>
  className?: string
  children: ReactNode
}

/** Content that may be removed without a user action: a focus inside it then moves to `to`. */
export function FocusFallback({ to, className, children }: FocusFallbackProps) {
  const ref = useFocusFallback(to)
  return (
    <div ref={ref} className={className}>
      {children}
    </div>
  )
}
