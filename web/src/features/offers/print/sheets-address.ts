import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'

/** What is printed; a flyer when it is not said. */
export const SheetKind = z.enum(['volantino', 'etichette'])
export type SheetKind = z.infer<typeof SheetKind>

/** What the address bar asks for. @returns asked: the ids of offers, with which the choice begins */
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
