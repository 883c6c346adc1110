import type { PriorityPage } from '@bancone/contract/priority-customer'

export const DATA_ID = 'dati'

/** What the server has drawn the page from. It comes from this application: only what would break the page is checked. */
export function readPageData(): PriorityPage {
  const page: unknown = JSON.parse(document.getElementById(DATA_ID)?.textContent || 'null')
  if (!isPriorityPage(page)) throw new Error('The page has no data')
  return page
}

function isPriorityPage(page: unknown): page is PriorityPage {
  return (
    typeof page === 'object' &&
    page !== null &&
    'kind' in page &&
    typeof page.kind === 'string' &&
    'pharmacy' in page &&
    typeof page.pharmacy === 'object' &&
    'status' in page &&
    'refusal' in page
  )
}
