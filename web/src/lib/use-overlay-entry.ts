import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod/mini'

const Entry = z.object({ overlay: z.string(), beneath: z.optional(z.number()) })
const Numbered = z.object({ idx: z.number() })

/** The number that the router gives to the present history entry. */
export function entryIndex(): number {
  return Numbered.safeParse(window.history.state).data?.idx ?? 0
}

/** Set by a navigation back that is not the user's. */
export const ownBack = { isRunning: false }

/** How far it is back to an entry beneath, for the router: dialogs may have entries in between. */
export function stepsBackTo(beneath: number | undefined): number {
  ownBack.isRunning = true
  return Math.min(-1, (beneath ?? Number.POSITIVE_INFINITY) - entryIndex())
}

/**
 * An overlay as a history entry on top of the page, so that Back, which closes overlays on phones, closes the overlay
 * and does not leave the page. It stays open after a reload.
 *
 * @param name identifies the overlay in the state of the entry
 */
export function useOverlayEntry(name: string) {
  const location = useLocation()
  const { key } = location
  const navigate = useNavigate()
  const entry = Entry.safeParse(location.state).data
  const isOpen = entry?.overlay === name
  /** The key of the entry from which a navigation back has started. */
  const leaving = useRef<string | null>(null)
  useEffect(() => {
    if (leaving.current !== key) leaving.current = null
  }, [key])

  return {
    isOpen,
    open() {
      if (isOpen) return
      // The current URL: a navigation just made may not be rendered yet.
      const { search, hash } = window.location
      void navigate({ search, hash }, { state: { overlay: name, beneath: entryIndex() } })
    },
    close() {
      // Navigation is asynchronous: a second click must not go back twice.
      if (!isOpen || leaving.current === key) return
      leaving.current = key
      void navigate(stepsBackTo(entry.beneath))
    },
  }
}
