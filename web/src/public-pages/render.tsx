import type { CountingPage } from '@bancone/contract/page-views'
import type { PrivacyPage as PrivacyPageData } from '@bancone/contract/privacy-texts'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import { noTracker } from '../features/public-offers/shop.ts'
import { Counting } from './counting-page.tsx'
import { fillDocument, htmlText, scriptText } from './document-text.ts'
import { DATA_ID } from './page-data.ts'
import { pageHead } from './page-head.ts'
import { PrivacyPage } from './privacy-page.tsx'

type Drawing = {
  page: PublicPage
  /** The built `offers.html`. */
  template: string
}

/** @returns the whole document, which the browser goes on with */
export function renderPage({ page, template }: Drawing): string {
  const drawn = renderToString(
    <PublicOffersApp
      code={page.content?.pharmacy?.pharmacy_id ?? ''}
      page={page}
      publicUrl={page.publicUrl}
      tracker={noTracker}
    />,
  )
  const data = `<script type="application/json" id="${DATA_ID}">${scriptText(page)}</script>`
  return fillDocument(template, [
    ['<!--head-->', '<!--/head-->', pageHead(page)],
    ['<!--page-->', '', drawn],
    ['<!--data-->', '', data],
  ])
}

/** What would load the browser's code. */
const SCRIPTS = /<script\b[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g

/** @returns the whole document, which has no script */
export function renderCountingPage({ page, template }: { page: CountingPage; template: string }) {
  const title = `Che cosa contiamo: ${page.pharmacyName}`
  return withoutScripts(template, title, <Counting page={page} />)
}

/** @returns the whole document, which has no script */
export function renderPrivacyPage({ page, template }: { page: PrivacyPageData; template: string }) {
  return withoutScripts(template, 'Informativa sulla privacy', <PrivacyPage page={page} />)
}

function withoutScripts(template: string, title: string, drawn: ReactElement): string {
  const head = `<title>${htmlText(title)}</title><meta name="robots" content="noindex">`
  return fillDocument(template.replaceAll(SCRIPTS, ''), [
    ['<!--head-->', '<!--/head-->', head],
    ['<!--page-->', '', renderToString(drawn)],
    ['<!--data-->', '', ''],
  ])
}
