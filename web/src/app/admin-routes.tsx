import { paths } from '@bancone/contract/pages'
import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { RequireAdministrator } from './require-administrator.tsx'
import { NotFound } from './routes/not-found.tsx'
import { PublicShell } from './shell/public-shell.tsx'

const AdminLogin = lazy(async () => ({
  default: (await import('./routes/admin-login.tsx')).AdminLogin,
}))
const AdminAccount = lazy(async () => ({
  default: (await import('./routes/admin-account.tsx')).AdminAccount,
}))
const AdminDashboard = lazy(async () => ({
  default: (await import('./routes/admin-dashboard.tsx')).AdminDashboard,
}))
const AdminSettings = lazy(async () => ({
  default: (await import('./routes/admin-settings.tsx')).AdminSettings,
}))
const AdminVisit = lazy(async () => ({
  default: (await import('./routes/admin-visit.tsx')).AdminVisit,
}))

/** The part of a path below the one of the administration. */
const within = (path: string) => path.slice(paths.admin.length + 1)

/** The pages of the administration. They are apart, so that pharmacies do not load their list. */
export function AdminRoutes() {
  return (
    <Routes>
      <Route element={<PublicShell area="admin" />}>
        <Route path={within(paths.adminLogin)} element={<AdminLogin />} />
      </Route>
      <Route element={<RequireAdministrator />}>
        <Route index element={<Navigate to={paths.adminDashboard} replace />} />
        <Route path={within(paths.adminDashboard)} element={<AdminDashboard />} />
        <Route path={within(paths.adminSettings)} element={<AdminSettings />} />
        <Route path="visit/:pharmacyId" element={<AdminVisit page="orders" />} />
        <Route path="visit/:pharmacyId/offers" element={<AdminVisit page="offers" />} />
        <Route path={within(paths.adminAccount)} element={<AdminAccount />} />
        <Route path="*" element={<NotFound home={paths.adminDashboard} />} />
      </Route>
    </Routes>
  )
}
