import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Another page begins at its top. Back and forward are left to the browser, which knows where one was. */
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
