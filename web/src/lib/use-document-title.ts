import { useEffect } from 'react'

let title = 'Bancone'
let count = 0

function show() {
  document.title = count > 0 ? `(${count}) ${title}` : title
}

/** 'Ordini · Bancone'. A title never names a customer or a product. */
export function useDocumentTitle(page: string) {
  useEffect(() => {
    title = `${page} · Bancone`
    show()
  }, [page])
}

/** '(3) Ordini · Bancone', whatever the page, for as long as whoever says it is there. */
export function useTitleCount(news: number) {
  useEffect(() => {
    count = news
    show()
    return () => {
      count = 0
      show()
    }
  }, [news])
}
