import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import type { FilterUrl } from '../../lib/url-filter.ts'
import { useOverlayEntry } from '../../lib/use-overlay-entry.ts'

/**
 * On a phone the filter sheet is a history entry: 'back' closes it. Chosen filters replace that entry, so that
 * closing the sheet, also by 'back', keeps them.
 */
export function useFiltersEntry() {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const way = useNavigationType()
  const { isOpen, ...entry } = useOverlayEntry('filters')
  /** The URL when the sheet was opened; null after a reload. */
  const beneath = useRef<FilterUrl | null>(null)
  /** The URL with the chosen filters. */
  const chosen = useRef<FilterUrl | null>(null)

  useEffect(() => {
    const before = chosen.current
    chosen.current = isOpen ? { search, hash } : null
    if (isOpen || way !== 'POP' || before === null) return
    if (before.search !== search || before.hash !== hash) void navigate(before)
  }, [isOpen, search, hash, way, navigate])

  return {
    isOpen,
    open() {
      beneath.current = { search, hash }
      entry.open()
    },
    close() {
      if (!isOpen) return
      const { current } = beneath
      if (current?.search === search && current.hash === hash) entry.close()
      else void navigate({ search, hash }, { replace: true, state: null })
    },
  }
}
