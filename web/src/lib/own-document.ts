import { useEffect } from 'react'
import { parseUrl } from './parse-url.ts'

/** The path that the document was loaded from; null when the browser does not say. */
function documentPath(): string | null {
  const [entry] = performance.getEntriesByType('navigation')
  return parseUrl(entry?.name ?? '')?.pathname ?? null
}

/**
 * For a page whose document has a content security policy of its own. The page is loaded anew when the application has
 * led to it from another one, and the next page is loaded anew when it is left: then what the policy has let in is gone.
 *
 * @returns false while the page is being loaded anew
 */
export function useOwnDocument(path: string): boolean {
  const from = documentPath()
  const isOwn = from === null || from === path
  useEffect(() => {
    if (!isOwn) location.reload()
  }, [isOwn])
  useEffect(
    () => () => {
      if (location.pathname !== path) location.reload()
    },
    [path],
  )
  return isOwn
}
