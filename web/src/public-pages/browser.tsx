import { parseOffersPath } from '@bancone/contract/pages'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createPageTracker, takeLinkTag } from '../features/page-views/page-tracker.ts'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import { readPageData } from './page-data.ts'

let isStarted = false

/** Hydrates what the server has rendered; renders the page where there is no such server. */
function start() {
  if (isStarted) return
  isStarted = true
  const root = document.getElementById('page')
  if (!root) throw new Error('offers.html has no #page')
  const page = readPageData()
  const code = parseOffersPath(location.pathname)?.code ?? ''
  const app = (
    <PublicOffersApp
      code={code}
      page={page}
      publicUrl={page?.publicUrl ?? location.origin}
      tracker={createPageTracker(code, takeLinkTag())}
    />
  )
  if (!page) createRoot(root).render(app)
  else hydrateRoot(root, app)
}

// Hydration waits for the first paint, and comes before a press that is earlier: its click would be lost.
for (const press of ['pointerdown', 'keydown']) addEventListener(press, start, { capture: true })
if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 500 })
else setTimeout(start, 1)
