import type { PublicPage } from '@bancone/contract/public-offers'
import { isPublicOffers } from '../features/public-offers/read-offers.ts'

export const DATA_ID = 'dati'

/** What the server has drawn the page from; null where it has drawn nothing. */
export function readPageData(): PublicPage | null {
  const text = document.getElementById(DATA_ID)?.textContent
  const page: unknown = text ? JSON.parse(text) : null
  return isPublicPage(page) ? page : null
}

function isPublicPage(page: unknown): page is PublicPage {
  return (
    typeof page === 'object' &&
    page !== null &&
    'content' in page &&
    (page.content === null || isPublicOffers(page.content)) &&
    'search' in page &&
    'offerId' in page &&
    'publicUrl' in page &&
    typeof page.publicUrl === 'string'
  )
}
