import type { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pharmacySession } from './lib/session.ts'
import './styles.css'
import { BrowserRouter } from 'react-router'
import { readEarlyRows } from './app/early-rows.ts'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { Providers } from './app/providers.tsx'
import { AppRoutes } from './app/router.tsx'
import { createQueryClient, retryUnavailable } from './lib/query-client.ts'

async function show() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  pharmacySession.start()
  const client = retryUnavailable(createQueryClient())
  await readEarlyRows(client)
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  )
}

// The server puts it into the pages of a host where unfinished versions are shown.
if (document.querySelector('meta[name="bancone-preview"][content="1"]') === null) void show()
else {
  void import('./app/preview-host.ts')
    .then(({ clearStorageOnReload }) => clearStorageOnReload())
    .finally(() => void show())
}

function App({ client }: { client: QueryClient }) {
  return (
    <ErrorBoundary>
      <Providers client={client}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </Providers>
    </ErrorBoundary>
  )
}
