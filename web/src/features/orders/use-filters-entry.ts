import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { z } from 'zod'
import type { FilterUrl } from '../../lib/url-filter.ts'

const Entry = z.object({ filters: z.literal(true) })

/**
 * On a phone the filter sheet is a history entry: 'back' closes it. Chosen filters replace that entry, so that
 * closing the sheet, also by 'back', keeps them.
 */
export function useFiltersEntry() {
  const location = useLocation()
  const { search, hash } = location
  const navigate = useNavigate()
  const way = useNavigationType()
  const isOpen = Entry.safeParse(location.state).success
  /** The URL when the sheet was opened; null after a reload. */
  const beneath = useRef<FilterUrl | null>(null)
  /** The URL with the chosen filters. */
  const chosen = useRef<FilterUrl | null>(null)
  const leaving = useRef(false)

  useEffect(() => {
    leaving.current = false
    const before = chosen.current
    chosen.current = isOpen ? { search, hash } : null
    if (isOpen || way !== 'POP' || before === null) return
    if (before.search !== search || before.hash !== hash) void navigate(before)
  }, [isOpen, search, hash, way, navigate])

  return {
    isOpen,
    open() {
      beneath.current = { search, hash }
      void navigate({ search, hash }, { state: { filters: true } })
    },
    close() {
      // Navigation is asynchronous: a second click must not go back twice.
      if (!isOpen || leaving.current) return
      leaving.current = true
      const { current } = beneath
      if (current?.search === search && current.hash === hash) void navigate(-1)
      else void navigate({ search, hash }, { replace: true, state: null })
    },
  }
}
