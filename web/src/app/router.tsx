import { paths } from '@bancone/contract/pages'
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { Navigate, Outlet, Route, Routes, useLocation, useNavigationType } from 'react-router'
import { pharmacySession, useSession } from '../lib/session.ts'
import { PageSpinner } from '../ui/spinner.tsx'
import { page, Titled } from './page.tsx'
import { RedirectToLogin } from './redirect-to-login.tsx'
import { Dashboard } from './routes/dashboard.tsx'
import { PharmacyShell } from './shell/pharmacy-shell.tsx'
import { PublicShell } from './shell/public-shell.tsx'

const DaySummary = page(
  'Riepilogo del giorno',
  async () => (await import('../features/orders/day/day-summary.tsx')).DaySummary,
)
const AccountRoutes = lazy(async () => ({
  default: (await import('./routes/account-routes.tsx')).AccountRoutes,
}))
const ProductDraft = page(
  'Scheda prodotto',
  async () => (await import('./routes/product-draft.tsx')).ProductDraft,
)
const Offers = page('Offerte', async () => (await import('./routes/offers.tsx')).Offers)
const OfferSheets = page(
  'Volantini ed etichette',
  async () => (await import('./routes/offer-sheets.tsx')).OfferSheets,
)
const AnalyticsRoutes = lazy(async () => ({
  default: (await import('./routes/analytics-routes.tsx')).AnalyticsRoutes,
}))
const PriorityRoutes = lazy(async () => ({
  default: (await import('./routes/priority-routes.tsx')).PriorityRoutes,
}))
const WhatsApp = page(
  'Connessione WhatsApp Business',
  async () => (await import('./routes/whatsapp.tsx')).WhatsApp,
)
const Login = page('Accedi', async () => (await import('./routes/login.tsx')).Login)
const Confirm = page('Conferma', async () => (await import('./routes/confirm.tsx')).Confirm)
const ResetPassword = page(
  'Nuova password',
  async () => (await import('./routes/reset-password.tsx')).ResetPassword,
)
const NotFound = lazy(async () => ({ default: (await import('./routes/not-found.tsx')).NotFound }))
const AdminRoutes = lazy(async () => ({
  default: (await import('./admin-routes.tsx')).AdminRoutes,
}))

/** The pages of pharmacies, and those that need no session. The orders are of the first load, all others are not. */
function PharmacyRoutes() {
  return (
    <Routes>
      <Route element={<RequireSession />}>
        <Route element={<PharmacyShell />}>
          <Route
            path={paths.dashboard}
            element={
              <Titled title="Ordini">
                <Dashboard />
              </Titled>
            }
          />
          <Route path={paths.dashboardAlias} element={<Navigate to={paths.dashboard} replace />} />
          <Route path={paths.dayOrders} element={<DaySummary />} />
          <Route path={`${paths.account}/*`} element={<AccountRoutes />} />
          <Route path={paths.productDraft} element={<ProductDraft />} />
          <Route path={paths.offers} element={<Offers />} />
          <Route path={paths.offerSheets} element={<OfferSheets />} />
          <Route path={`${paths.analytics}/*`} element={<AnalyticsRoutes />} />
          <Route path={`${paths.priority}/*`} element={<PriorityRoutes />} />
          <Route path={paths.whatsapp} element={<WhatsApp />} />
        </Route>
      </Route>
      <Route element={<PublicShell area="pharmacy" />}>
        <Route path={paths.login} element={<Login />} />
        <Route path={paths.confirm} element={<Confirm />} />
        <Route path={paths.resetPassword} element={<ResetPassword />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

export function AppRoutes() {
  const { pathname } = useLocation()
  const isAdministration = `${pathname}/`.startsWith(`${paths.admin}/`)
  return (
    <>
      <ScrollToTop />
      <Suspense fallback={<PageSpinner />}>
        {isAdministration ? <AdminRoutes /> : <PharmacyRoutes />}
      </Suspense>
    </>
  )
}

/** Shows its child routes to signed-in users of a pharmacy. Redirects all others to the login page. */
export function RequireSession() {
  const session = useSession(pharmacySession)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in' && !session.factorNeeded) {
    return <Outlet key={session.userId} />
  }
  const why = session.status === 'signed-in' ? 'half' : session.reason
  return <RedirectToLogin login={paths.login} why={why} sessionStore={pharmacySession} />
}

/** Scrolls to the top after a navigation. On back and forward the browser restores the position. */
function ScrollToTop() {
  const { pathname } = useLocation()
  const moved = useNavigationType() !== 'POP'
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (moved) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [pathname, moved])
  return null
}
