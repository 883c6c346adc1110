import { useEffect } from 'react'

let title = 'Bancone'
let count = 0
/** Replaces the title while it is not empty. */
let alarm = ''

function show() {
  document.title = alarm || (count > 0 ? `(${count}) ${title}` : title)
}

/** Sets the title to 'Ordini · Bancone'. A title must not contain the name of a customer or a product. */
export function useDocumentTitle(page: string) {
  useEffect(() => {
    title = `${page} · Bancone`
    show()
  }, [page])
}

/** Shows a text instead of the title, until it is called with an empty one. It must not name a customer. */
export function setTitleAlarm(text: string) {
  alarm = text
  show()
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
