import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Scrolls to the top after a navigation. On back and forward the browser restores the position. */
export function ScrollToTop() {
  const { pathname } = useLocation()
  const moved = useNavigationType() !== 'POP'
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (moved) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [pathname, moved])
  return null
}
