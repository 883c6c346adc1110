import {
  adminMigrationPath,
  adminPharmacyPath,
  adminProfilePath,
  adminVisitPath,
} from '@bancone/contract/admin-pages'
import { paths } from '@bancone/contract/pages'
import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { RequireAdministrator } from './require-administrator.tsx'
import { PublicShell } from './shell/public-shell.tsx'

const NotFound = lazy(async () => ({ default: (await import('./routes/not-found.tsx')).NotFound }))
const AdminLogin = lazy(async () => ({
  default: (await import('./routes/admin-login.tsx')).AdminLogin,
}))
const AdminAccount = lazy(async () => ({
  default: (await import('./routes/admin-account.tsx')).AdminAccount,
}))
const AdminDashboard = lazy(async () => ({
  default: (await import('./routes/admin-dashboard.tsx')).AdminDashboard,
}))
const AdminOverview = lazy(async () => ({
  default: (await import('./routes/admin-overview.tsx')).AdminOverview,
}))
const AdminPharmacies = lazy(async () => ({
  default: (await import('./routes/admin-pharmacies.tsx')).AdminPharmacies,
}))
const AdminDeletedPharmacies = lazy(async () => ({
  default: (await import('./routes/admin-deleted-pharmacies.tsx')).AdminDeletedPharmacies,
}))
const AdminPharmacyForm = lazy(async () => ({
  default: (await import('./routes/admin-pharmacy-form.tsx')).AdminPharmacyForm,
}))
const AdminPharmacyImport = lazy(async () => ({
  default: (await import('./routes/admin-pharmacy-import.tsx')).AdminPharmacyImport,
}))
const AdminPlans = lazy(async () => ({
  default: (await import('./routes/admin-plans.tsx')).AdminPlans,
}))
const AdminCategories = lazy(async () => ({
  default: (await import('./routes/admin-categories.tsx')).AdminCategories,
}))
const AdminMigrations = lazy(async () => ({
  default: (await import('./routes/admin-migrations.tsx')).AdminMigrations,
}))
const AdminMigration = lazy(async () => ({
  default: (await import('./routes/admin-migration.tsx')).AdminMigration,
}))
const AdminAudit = lazy(async () => ({
  default: (await import('./routes/admin-audit.tsx')).AdminAudit,
}))
const AdminProfile = lazy(async () => ({
  default: (await import('./routes/pharmacy-profile/admin-profile.tsx')).AdminProfile,
}))
const AdminSettings = lazy(async () => ({
  default: (await import('./routes/admin-settings.tsx')).AdminSettings,
}))
const AdminVisit = lazy(async () => ({
  default: (await import('./routes/admin-visit.tsx')).AdminVisit,
}))

/** The pages of the administration. A pharmacy does not load them. */
export function AdminRoutes() {
  return (
    <Routes>
      <Route path={paths.admin} element={<RequireAdministrator />}>
        <Route index element={<Navigate to={paths.adminDashboard} replace />} />
        <Route path={paths.adminDashboard} element={<AdminDashboard />} />
        <Route path={paths.adminOverview} element={<AdminOverview />} />
        <Route path={paths.adminPharmacies} element={<AdminPharmacies />} />
        <Route path={paths.adminDeletedPharmacies} element={<AdminDeletedPharmacies />} />
        <Route path={paths.adminPharmacyImport} element={<AdminPharmacyImport />} />
        <Route path={paths.adminNewPharmacy} element={<AdminPharmacyForm />} />
        <Route path={adminPharmacyPath(':pharmacyId')} element={<AdminPharmacyForm />} />
        <Route path={adminProfilePath(':pharmacyId')} element={<AdminProfile />} />
        <Route path={paths.adminPlans} element={<AdminPlans />} />
        <Route path={paths.adminCategories} element={<AdminCategories />} />
        <Route path={adminVisitPath(':pharmacyId')} element={<AdminVisit page="orders" />} />
        <Route
          path={`${adminVisitPath(':pharmacyId')}/offers`}
          element={<AdminVisit page="offers" />}
        />
        <Route path={paths.adminMigrations} element={<AdminMigrations />} />
        <Route path={adminMigrationPath(':pharmacyId')} element={<AdminMigration />} />
        <Route path={paths.adminSettings} element={<AdminSettings />} />
        <Route path={paths.adminAudit} element={<AdminAudit />} />
        <Route path={paths.adminAccount} element={<AdminAccount />} />
        <Route path="*" element={<NotFound home={paths.adminDashboard} />} />
      </Route>
      <Route element={<PublicShell area="admin" />}>
        <Route path={paths.adminLogin} element={<AdminLogin />} />
      </Route>
    </Routes>
  )
}
