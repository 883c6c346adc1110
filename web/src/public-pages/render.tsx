import type { PublicPage } from '@bancone/contract/public-offers'
import { renderToString } from 'react-dom/server'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import type { OfferVisits } from '../features/public-offers/shop.ts'
import { fillDocument, scriptText } from './document-text.ts'
import { DATA_ID } from './page-data.ts'
import { pageHead } from './page-head.ts'

type Drawing = {
  page: PublicPage
  /** The built `offers.html`. */
  template: string
}

/** What React asks to be loaded early stands before what it draws: its place is in the head. */
const EARLY = /^(?:<link [^>]*>)*/

const nobody: OfferVisits = {
  view: () => () => undefined,
  opened: () => undefined,
  whatsApp: () => undefined,
  call: () => undefined,
}

/** @returns the whole document, which the browser goes on with */
export function renderPage({ page, template }: Drawing): string {
  const drawn = renderToString(
    <PublicOffersApp
      code={page.content?.pharmacy?.pharmacy_id ?? ''}
      page={page}
      publicUrl={page.publicUrl}
      visits={nobody}
    />,
  )
  const early = EARLY.exec(drawn)?.[0] ?? ''
  const data = `<script type="application/json" id="${DATA_ID}">${scriptText(page)}</script>`
  return fillDocument(template, [
    ['<!--head-->', '<!--/head-->', early + pageHead(page)],
    ['<!--page-->', '', drawn.slice(early.length)],
    ['<!--data-->', '', data],
  ])
}
