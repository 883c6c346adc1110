import { useEffect } from 'react'

/** 'Ordini · Bancone'. A title never names a customer or a product. */
export function useDocumentTitle(page: string) {
  useEffect(() => {
    document.title = `${page} · Bancone`
  }, [page])
}
