import { useEffect } from 'react'

/** Makes the browser ask before the page is closed while there are unsaved changes. */
export function useBeforeUnloadPrompt(unsaved: boolean) {
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
}
