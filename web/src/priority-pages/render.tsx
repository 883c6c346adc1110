import type { PriorityPage } from '@bancone/contract/priority-customer'
import { renderToString } from 'react-dom/server'
import { PriorityApp } from '../features/priority-session/priority-app.tsx'
import { fillDocument, scriptText } from '../public-pages/document-text.ts'
import { DATA_ID } from './page-data.ts'

type Drawing = {
  page: PriorityPage
  /** The built `priority.html`. */
  template: string
}

/** @returns the whole document, which the browser goes on with */
export function renderPage({ page, template }: Drawing): string {
  const data = `<script type="application/json" id="${DATA_ID}">${scriptText(page)}</script>`
  return fillDocument(template, [
    ['<!--page-->', '', renderToString(<PriorityApp page={page} />)],
    ['<!--data-->', '', data],
  ])
}
