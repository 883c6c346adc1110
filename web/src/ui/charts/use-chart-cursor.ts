import { type RefObject, useEffect, useState } from 'react'

/** Which value of a chart is shown. */
export type ChartCursor = {
  /** Index of the value, also while it is not shown. */
  at: number
  shown: number | null
  show: (index: number) => void
  /** Shows none; the next key begins at the start. */
  reset: () => void
}

type CursorOptions = {
  /** The chart. */
  box: RefObject<HTMLElement | null>
  count: number
  /** Index of the value that the keyboard reaches first. */
  start: number
}

const none = { index: null, isShown: false }

/** A press outside of the chart, and Escape, hide the value; the next key goes on from it. */
export function useChartCursor({ box, count, start }: CursorOptions): ChartCursor {
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
    at,
    shown: isShown && count > 0 ? at : null,
    show: (next) => setState({ index: next, isShown: true }),
    reset: () => setState(none),
  }
}
