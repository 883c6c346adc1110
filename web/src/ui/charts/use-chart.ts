import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** A chart, the width that it is drawn with, and which of its values is shown. */
export type Chart = ReturnType<typeof useChart>

/**
 * @param count of the values
 * @param start the index of the value that the keyboard reaches first
 */
export function useChart(count: number, start: number) {
  const box = useRef<HTMLDivElement>(null)
  return { box, count, width: useDrawnWidth(box), ...useCursor(box, count, start) }
}

const none = { index: null, isShown: false }

/** A press outside of the chart, and Escape, hide the value; the next key goes on from it. */
function useCursor(box: RefObject<HTMLElement | null>, count: number, start: number) {
  const [{ index, isShown }, setState] = useState<{ index: number | null; isShown: boolean }>(none)
  const at = Math.max(0, Math.min(index ?? start, count - 1))

  useEffect(() => {
    if (!isShown) return undefined
    const close = () => setState((state) => ({ ...state, isShown: false }))
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) close()
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [box, isShown])

  return {
    /** Index of the value, also while it is not shown. */
    at,
    shown: isShown && count > 0 ? at : null,
    show: (next: number) => setState({ index: next, isShown: true }),
    /** Shows none; the next key begins at the start. */
    reset: () => setState(none),
  }
}

/** The width of charts that cannot be measured, in px: on paper and in the first rendering. */
const CHART_WIDTH = 800

/** The width of an element in px. Charts are drawn anew at each width, so that their texts keep their size. */
function useDrawnWidth(box: RefObject<HTMLElement | null>): number {
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
