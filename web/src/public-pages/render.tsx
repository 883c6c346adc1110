import type { CountingPage } from '@bancone/contract/page-views'
import { paths } from '@bancone/contract/pages'
import type { PrivacyPage } from '@bancone/contract/privacy-texts'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import { noTracker } from '../features/public-offers/shop.ts'
import { PolicyText } from '../features/settings/policy-text.tsx'
import { formatDateTime } from '../lib/format.ts'
import { Counting } from './counting-page.tsx'
import { fillDocument, htmlText, scriptText } from './document-text.ts'
import { DATA_ID } from './page-data.ts'
import { pageHead } from './page-head.ts'

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
export function renderPrivacyPage({ page, template }: { page: PrivacyPage; template: string }) {
  return withoutScripts(template, 'Informativa sulla privacy', <Privacy page={page} />)
}

function withoutScripts(template: string, title: string, drawn: ReactElement): string {
  const head = `<title>${htmlText(title)}</title><meta name="robots" content="noindex">`
  return fillDocument(template.replaceAll(SCRIPTS, ''), [
    ['<!--head-->', '<!--/head-->', head],
    ['<!--page-->', '', renderToString(drawn)],
    ['<!--data-->', '', ''],
  ])
}

/** The privacy policy in force, for customers and for the staff. */
function Privacy({ page: { text, version, publishedAt, back } }: { page: PrivacyPage }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col px-4 py-6 md:px-6 md:py-10">
      <main className="flex-1">
        <a
          href={back?.path ?? paths.dashboard}
          className="inline-flex min-h-12 items-center text-accent underline underline-offset-4 hover:text-ink print:hidden"
        >
          {back ? `Torna a ${back.name}` : 'Torna alla Home'}
        </a>
        <h1 className="mt-2 text-2xl leading-tight font-medium tracking-tight md:text-3xl">
          Informativa sulla privacy
        </h1>
        <p className="mt-2 mb-5 text-sm text-muted">
          Versione {version}, in vigore dal {formatDateTime(publishedAt).slice(0, 10)}
        </p>
        <PolicyText text={text} />
      </main>
      <footer className="mt-8 text-sm text-muted">
        <p>Powered by Bancone</p>
      </footer>
    </div>
  )
}
