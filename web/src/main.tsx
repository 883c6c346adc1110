import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pharmacySession } from './lib/session.ts'
import './styles.css'
import { BrowserRouter } from 'react-router'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { Providers } from './app/providers.tsx'
import { AppRoutes } from './app/router.tsx'

function show() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  pharmacySession.start()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// The server puts it into the pages of a host where unfinished versions are shown.
if (document.querySelector('meta[name="bancone-preview"][content="1"]') === null) show()
else {
  void import('./app/preview-host.ts')
    .then(({ clearStorageOnReload }) => clearStorageOnReload())
    .finally(show)
}

function App() {
  return (
    <ErrorBoundary>
      <Providers>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </Providers>
    </ErrorBoundary>
  )
}
