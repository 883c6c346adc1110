import { useEffect, useEffectEvent } from 'react'
import { guardAgainstScanners } from './keys.ts'
import { onScan } from './scans.ts'

/** The codes that the scanner of the counter types into this page, outside of text fields. */
export function useScans(listener: (code: string) => void) {
  const scan = useEffectEvent(listener)
  useEffect(() => {
    guardAgainstScanners()
    return onScan((code) => scan(code))
  }, [])
}
