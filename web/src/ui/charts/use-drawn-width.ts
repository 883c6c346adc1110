import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** The width of charts that cannot be measured, in px: on paper and in the first rendering. */
export const CHART_WIDTH = 800

/** The width of an element in px. Charts are drawn anew at each width, so that their texts keep their size. */
export function useDrawnWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(CHART_WIDTH)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth || CHART_WIDTH)
    // Before the browser takes the page for printing, which it does as soon as the event has been handled.
    const drawForPaper = () => flushSync(() => setWidth(CHART_WIDTH))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    window.addEventListener('beforeprint', drawForPaper)
    window.addEventListener('afterprint', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', drawForPaper)
      window.removeEventListener('afterprint', measure)
    }
  }, [box])
  return width
}
