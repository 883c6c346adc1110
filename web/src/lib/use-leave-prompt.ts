import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useBeforeUnloadPrompt } from './use-before-unload-prompt.ts'

/** The path of a link of this application to another page; null for a click on anything else. */
function pathOf(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return null
  }
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.href || link.target === '_blank' || link.origin !== location.origin) return null
  return link.pathname === location.pathname ? null : link.pathname + link.search + link.hash
}

/**
 * Asks before a link leads away from unsaved changes, and lets the browser ask before the page is closed. Back and what the
 * application opens by itself are not asked about: a draft has to keep the changes.
 *
 * @returns whether to ask, and the two answers
 */
export function useLeavePrompt(unsaved: boolean) {
  const navigate = useNavigate()
  const [path, setPath] = useState<string | null>(null)
  useBeforeUnloadPrompt(unsaved)
  useEffect(() => {
    if (!unsaved) return undefined
    const onClick = (event: MouseEvent) => {
      const next = pathOf(event)
      if (next === null) return
      event.preventDefault()
      // Before the router's own handler, and those of other forms of the page.
      event.stopImmediatePropagation()
      setPath(next)
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [unsaved])

  return {
    asks: path !== null,
    stay: () => setPath(null),
    leave() {
      setPath(null)
      if (path !== null) void navigate(path)
    },
  }
}
