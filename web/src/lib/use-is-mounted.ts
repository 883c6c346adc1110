import { useEffect, useRef } from 'react'

/** Tells whether the component is still there, for what ends after it may have been closed. */
export function useIsMounted(): () => boolean {
  const mounted = useRef(true)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return () => mounted.current
}
