import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { z } from 'zod'
import type { OrdersAddress } from './orders-search.ts'

const Entry = z.object({ filters: z.literal(true) })

/**
 * The filters of a phone are an entry of the history on top of the list, as the details are: 'back' closes
 * them. What was chosen there stays in its place, so that closing them, by 'back' too, keeps it.
 */
export function useFiltersEntry() {
  const location = useLocation()
  const { search, hash } = location
  const navigate = useNavigate()
  const way = useNavigationType()
  const isOpen = Entry.safeParse(location.state).success
  /** Where they were opened; null after a reload. */
  const beneath = useRef<OrdersAddress | null>(null)
  /** What is chosen in them. */
  const chosen = useRef<OrdersAddress | null>(null)
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
      // Going back takes a moment: a second click must not go back twice.
      if (!isOpen || leaving.current) return
      leaving.current = true
      const { current } = beneath
      if (current?.search === search && current.hash === hash) void navigate(-1)
      else void navigate({ search, hash }, { replace: true, state: null })
    },
  }
}
