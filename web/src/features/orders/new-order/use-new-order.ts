import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Entry = z.object({ newOrder: z.literal(true) })

/** The sheet of a new order is a history entry: 'back' closes it, and it stays open after a reload. */
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
      // Navigation is asynchronous: a second click must not go back twice.
      if (!isOpen || leaving.current) return
      leaving.current = true
      void navigate(-1)
    },
  }
}
