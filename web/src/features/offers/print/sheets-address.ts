import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'

/** What is printed; by default a flyer. */
export const SheetKind = z.enum(['volantino', 'etichette'])
export type SheetKind = z.infer<typeof SheetKind>

/** The state of the page in the URL. @returns asked: ids of the initially chosen offers */
export function useSheetsAddress() {
  const [search, setSearch] = useSearchParams()
  const named = search.get('offerte') ?? ''
  const asked = useMemo(() => new Set(named.split(',').filter(Boolean)), [named])
  return {
    kind: SheetKind.catch('volantino').parse(search.get('tipo')),
    asked,
    setKind: (kind: SheetKind) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before)
          if (kind === 'volantino') next.delete('tipo')
          else next.set('tipo', kind)
          return next
        },
        { replace: true },
      ),
  }
}
