import {
  adminMigrationPath,
  adminPharmacyPath,
  adminProfilePath,
  supportSessionPath,
} from '@bancone/contract/admin-pages'
import { paths } from '@bancone/contract/pages'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { PageSpinner } from '../ui/spinner.tsx'
import { page } from './page.tsx'
import { RequireAdministrator } from './require-administrator.tsx'
import { PublicShell } from './shell/public-shell.tsx'

const NotFound = lazy(async () => ({ default: (await import('./routes/not-found.tsx')).NotFound }))
const AdminLogin = page(
  'Area Amministratori',
  async () => (await import('./routes/login.tsx')).AdminLogin,
)
const AccountPage = page(
  'Sicurezza',
  async () => (await import('../features/account/account-page.tsx')).AccountPage,
)
const AdminDashboard = page(
  'Dashboard amministratori',
  async () => (await import('./routes/admin-dashboard.tsx')).AdminDashboard,
)
const OverviewPage = page(
  'Chi ha bisogno di attenzione',
  async () => (await import('../features/pharmacy-overview/overview-page.tsx')).OverviewPage,
)
const loadPharmacies = () => import('../features/admin-pharmacies/pharmacies-page.tsx')
const PharmaciesPage = page('Farmacie', async () => (await loadPharmacies()).PharmaciesPage)
const PharmaciesAhead = lazy(async () => ({ default: (await loadPharmacies()).PharmaciesAhead }))
const DeletedPharmaciesPage = page(
  'Farmacie eliminate',
  async () =>
    (await import('../features/admin-pharmacies/deleted/deleted-pharmacies-page.tsx'))
      .DeletedPharmaciesPage,
)
const AdminPharmacyForm = lazy(async () => ({
  default: (await import('./routes/admin-pharmacy-form.tsx')).AdminPharmacyForm,
}))
const ImportPage = page(
  'Importa farmacie',
  async () => (await import('../features/pharmacy-imports/import-page.tsx')).ImportPage,
)
const PlansPage = page(
  'Piani di abbonamento',
  async () => (await import('../features/subscription-plans/plans-page.tsx')).PlansPage,
)
const CategoriesPage = page(
  'Categorie',
  async () => (await import('../features/product-categories/categories-page.tsx')).CategoriesPage,
)
const MigrationsPage = page(
  'Migrazione ordini',
  async () => (await import('../features/orders-migration/migrations-page.tsx')).MigrationsPage,
)
const AdminMigration = page(
  'Migrazione ordini',
  async () => (await import('./routes/admin-migration.tsx')).AdminMigration,
)
const AuditPage = page(
  'Registro',
  async () => (await import('../features/audit/audit-page.tsx')).AuditPage,
)
const AdminProfile = page(
  'Profilo della farmacia',
  async () => (await import('./routes/pharmacy-profile/admin-profile.tsx')).AdminProfile,
)
const SettingsPage = page(
  'Impostazioni',
  async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
)
const SupportSessionPage = page(
  'Visualizza come farmacia',
  async () =>
    (await import('./routes/support-session/support-session-page.tsx')).SupportSessionPage,
)

/** While it is not known yet whether the user is an administrator. */
function Ahead() {
  const isList = useLocation().pathname === paths.adminPharmacies
  return (
    <Suspense fallback={<PageSpinner />}>{isList ? <PharmaciesAhead /> : <PageSpinner />}</Suspense>
  )
}

/** The pages of the administration. A pharmacy does not load them. */
export function AdminRoutes() {
  return (
    <Routes>
      <Route path={paths.admin} element={<RequireAdministrator ahead={<Ahead />} />}>
        <Route index element={<Navigate to={paths.adminDashboard} replace />} />
        <Route path={paths.adminDashboard} element={<AdminDashboard />} />
        <Route path={paths.adminOverview} element={<OverviewPage />} />
        <Route path={paths.adminPharmacies} element={<PharmaciesPage />} />
        <Route path={paths.adminDeletedPharmacies} element={<DeletedPharmaciesPage />} />
        <Route path={paths.adminPharmacyImport} element={<ImportPage />} />
        <Route path={paths.adminNewPharmacy} element={<AdminPharmacyForm />} />
        <Route path={adminPharmacyPath(':pharmacyId')} element={<AdminPharmacyForm />} />
        <Route path={adminProfilePath(':pharmacyId')} element={<AdminProfile />} />
        <Route path={paths.adminPlans} element={<PlansPage />} />
        <Route path={paths.adminCategories} element={<CategoriesPage />} />
        <Route
          path={supportSessionPath(':pharmacyId')}
          element={<SupportSessionPage page="orders" />}
        />
        <Route
          path={`${supportSessionPath(':pharmacyId')}/offers`}
          element={<SupportSessionPage page="offers" />}
        />
        <Route path={paths.adminMigrations} element={<MigrationsPage />} />
        <Route path={adminMigrationPath(':pharmacyId')} element={<AdminMigration />} />
        <Route path={paths.adminSettings} element={<SettingsPage />} />
        <Route path={paths.adminAudit} element={<AuditPage />} />
        <Route path={paths.adminAccount} element={<AccountPage area="admin" />} />
        <Route path="*" element={<NotFound home={paths.adminDashboard} />} />
      </Route>
      <Route element={<PublicShell area="admin" />}>
        <Route path={paths.adminLogin} element={<AdminLogin />} />
      </Route>
    </Routes>
  )
}
