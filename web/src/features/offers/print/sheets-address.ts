import { useMemo } from 'react'
import { z } from 'zod'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'

/** What is printed; by default a flyer. */
export const SheetKind = z.enum(['volantino', 'etichette'])
export type SheetKind = z.infer<typeof SheetKind>

const sheetsUrl = searchParamsFormat(
  z.object({ tipo: SheetKind.catch('volantino'), offerte: z.string().catch('') }),
)

/** The state of the page in the URL. @returns asked: ids of the initially chosen offers */
export function useSheetsAddress() {
  const [{ tipo, offerte }, change] = useUrlFilter(sheetsUrl)
  const asked = useMemo(() => new Set(offerte.split(',').filter(Boolean)), [offerte])
  return {
    kind: tipo,
    asked,
    setKind: (kind: SheetKind) => change({ tipo: kind }, { replace: true }),
  }
}
