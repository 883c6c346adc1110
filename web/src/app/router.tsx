import { paths } from '@bancone/contract/pages'
import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { hasStoredSession } from '../lib/auth-client.ts'
import { PageSpinner } from '../ui/spinner.tsx'
import { RequireSession } from './require-session.tsx'
import { ScrollToTop } from './scroll-to-top.tsx'
import { PublicShell } from './shell/public-shell.tsx'

const loadShell = () => import('./shell/pharmacy-shell.tsx')
const loadDashboard = () => import('./routes/dashboard.tsx')

const PharmacyShell = lazy(async () => ({ default: (await loadShell()).PharmacyShell }))
const Dashboard = lazy(async () => ({ default: (await loadDashboard()).Dashboard }))
const Login = lazy(async () => ({ default: (await import('./routes/login.tsx')).Login }))
const Privacy = lazy(async () => ({ default: (await import('./routes/privacy.tsx')).Privacy }))
const NotFound = lazy(async () => ({ default: (await import('./routes/not-found.tsx')).NotFound }))

// Who comes back signed in gets the pages while the session is still being read.
if (hasStoredSession() && location.pathname === paths.dashboard) {
  void Promise.all([loadShell(), loadDashboard()]).catch(() => undefined)
}

export function AppRoutes() {
  return (
    <>
      <ScrollToTop />
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route element={<RequireSession />}>
            <Route element={<PharmacyShell />}>
              <Route path={paths.dashboard} element={<Dashboard />} />
            </Route>
          </Route>
          <Route element={<PublicShell />}>
            <Route path={paths.login} element={<Login />} />
            <Route path={paths.privacy} element={<Privacy />} />
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </Suspense>
    </>
  )
}
