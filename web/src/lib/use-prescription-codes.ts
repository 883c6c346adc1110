import { mayHaveCodes } from '@bancone/contract/may-have-codes'
import type * as Prescriptions from '@bancone/contract/prescription-codes'
import { useEffect, useMemo, useState } from 'react'
import { loadWhenIdle } from './when-idle.ts'

type FoundCode = Prescriptions.FoundCode
type Finder = typeof Prescriptions.findPrescriptionCodes

let loaded: Finder | null = null

/** The codes of prescriptions in a text; none until the code that finds them is loaded. */
export function usePrescriptionCodes(text: string): readonly FoundCode[] {
  const [finder, setFinder] = useState<{ find: Finder } | null>(loaded && { find: loaded })
  const isNeeded = mayHaveCodes(text) && finder === null
  useEffect(() => {
    if (!isNeeded) return
    loadWhenIdle(() => import('@bancone/contract/prescription-codes')).then(
      ({ findPrescriptionCodes }) => {
        loaded = findPrescriptionCodes
        setFinder({ find: findPrescriptionCodes })
      },
      // The text is complete without its marks.
      () => undefined,
    )
  }, [isNeeded])
  return useMemo(
    () => (finder && mayHaveCodes(text) ? finder.find(text).codes : []),
    [finder, text],
  )
}
