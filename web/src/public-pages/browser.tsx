import { createRoot, hydrateRoot } from 'react-dom/client'
import { parseOffersPath } from '../features/public-offers/offers-path.ts'
import { PublicOffersApp } from '../features/public-offers/public-offers-app.tsx'
import { takeLinkTag } from '../features/visits/link-tag.ts'
import { createVisits } from '../features/visits/visits.ts'
import { readPageData } from './page-data.ts'

/** Takes over what the server has drawn; draws it where there is no such server. */
function start() {
  const root = document.getElementById('page')
  if (!root) throw new Error('offers.html has no #page')
  const page = readPageData()
  const { code } = parseOffersPath(location.pathname)
  const app = (
    <PublicOffersApp
      code={code}
      page={page}
      publicUrl={page?.publicUrl ?? location.origin}
      visits={createVisits(code, takeLinkTag())}
    />
  )
  if (!page) createRoot(root).render(app)
  else hydrateRoot(root, app)
}

// The page is complete without it: first the browser draws.
if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 500 })
else setTimeout(start, 1)
