import { useEffect } from 'react'

let title = 'Bancone'
let count = 0

function show() {
  document.title = count > 0 ? `(${count}) ${title}` : title
}

/** Sets the title to 'Ordini · Bancone'. A title must not contain the name of a customer or a product. */
export function useDocumentTitle(page: string) {
  useEffect(() => {
    title = `${page} · Bancone`
    show()
  }, [page])
}

/** Shows a count in the title of every page, '(3) Ordini · Bancone', while the caller is mounted. */
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
