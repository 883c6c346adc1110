import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Entry = z.object({ newOrder: z.literal(true) })

/**
 * The form of a new order is an entry of the history on top of the list, as the details are: 'back' closes
 * it, and a reload does not.
 */
export function useNewOrder() {
  const navigate = useNavigate()
  const isOpen = Entry.safeParse(useLocation().state).success
  const leaving = useRef(false)
  useEffect(() => {
    if (!isOpen) leaving.current = false
  }, [isOpen])

  return {
    isOpen,
    openNewOrder() {
      if (isOpen) return
      const { search, hash } = window.location
      void navigate({ search, hash }, { state: { newOrder: true } })
    },
    closeNewOrder() {
      // Going back takes a moment: a second click must not go back twice.
      if (!isOpen || leaving.current) return
      leaving.current = true
      void navigate(-1)
    },
  }
}
