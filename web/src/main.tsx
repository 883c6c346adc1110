import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startSession } from './lib/session.ts'
import './styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

startSession()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
