import { useEffect, useEffectEvent } from 'react'
import { subscribeToScans } from './keys.ts'

/** The codes that the scanner of the counter types into this page, outside of text fields. */
export function useScans(onScan: (code: string) => void) {
  const scan = useEffectEvent(onScan)
  useEffect(() => subscribeToScans((code) => scan(code)), [])
}
