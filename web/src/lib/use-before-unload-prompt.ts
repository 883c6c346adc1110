import { useEffect } from 'react'

/**
 * Makes the browser ask before the page is closed, if there are unsaved changes then.
 *
 * @returns a function that ends this
 */
export function promptBeforeUnload(isUnsaved: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

/** Makes the browser ask before the page is closed while there are unsaved changes. */
export function useBeforeUnloadPrompt(unsaved: boolean) {
  useEffect(() => (unsaved ? promptBeforeUnload(() => true) : undefined), [unsaved])
}
