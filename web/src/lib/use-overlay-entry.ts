import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Entry = z.object({ overlay: z.string() })

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
  const isOpen = Entry.safeParse(location.state).data?.overlay === name
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
      void navigate({ search, hash }, { state: { overlay: name } })
    },
    close() {
      // Navigation is asynchronous: a second click must not go back twice.
      if (!isOpen || leaving.current === key) return
      leaving.current = key
      void navigate(-1)
    },
  }
}
