import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { pharmacySession } from './lib/session.ts'
import './styles.css'

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
