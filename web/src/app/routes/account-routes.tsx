import { paths } from '@bancone/contract/pages'
import { Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { page } from '../page.tsx'
import { accountPagesFor, accountPageTitle } from '../shell/navigation.ts'
import { PageTabs } from '../shell/page-tabs.tsx'
import { ownersPage } from './access.tsx'
import { NotFound } from './not-found.tsx'

const AccountPage = page(
  accountPageTitle(paths.account),
  async () => (await import('../../features/account/account-page.tsx')).AccountPage,
)
const OwnProfile = ownersPage(
  accountPageTitle(paths.pharmacyProfile),
  {
    title: 'Il profilo della farmacia è per i titolari',
    text: "Se c'è qualcosa da cambiare, chiedi a un titolare della farmacia.",
  },
  async () => (await import('./pharmacy-profile/own-profile.tsx')).OwnProfile,
)
const Colleagues = ownersPage(
  accountPageTitle(paths.colleagues),
  {
    title: 'I colleghi li gestiscono i titolari',
    text: 'Per invitare qualcuno, o per cambiare chi lavora qui, chiedi a un titolare della farmacia.',
  },
  async () => (await import('../../features/colleagues/colleagues-page.tsx')).ColleaguesPage,
)
const ApiKeys = ownersPage(
  accountPageTitle(paths.apiKeys),
  {
    title: 'Le chiavi API sono per i titolari',
    text: 'Se ti serve una chiave, chiedi a un titolare della farmacia di crearla.',
  },
  async () => (await import('../../features/api-keys/api-keys-page.tsx')).ApiKeysPage,
)
const CustomerData = ownersPage(
  accountPageTitle(paths.customerData),
  {
    title: 'I dati dei clienti sono per i titolari',
    text: 'Se un cliente chiede i suoi dati, avvisa un titolare della farmacia.',
  },
  async () =>
    (await import('../../features/customer-data/customer-data-page.tsx')).CustomerDataPage,
)
const PharmacyAudit = ownersPage(
  accountPageTitle(paths.pharmacyAudit),
  {
    title: 'Il registro è per i titolari',
    text: 'Chi ha cambiato qualcosa, e quando, lo vedono i titolari della farmacia.',
  },
  async () => (await import('../../features/audit/pharmacy-audit-page.tsx')).PharmacyAuditPage,
)

/** The pages about the account and the colleagues, with their navigation. */
export function AccountRoutes() {
  const { data: pharmacy } = useOwnPharmacy()
  const pages = accountPagesFor(pharmacy)
  const below = (path: string) => path.slice(paths.account.length + 1)
  return (
    <>
      {pages.length > 1 ? (
        <PageTabs label="Account" pages={pages} className="mx-auto w-full max-w-3xl" />
      ) : null}
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route index element={<AccountPage area="pharmacy" />} />
          <Route path={below(paths.pharmacyProfile)} element={<OwnProfile />} />
          <Route path={below(paths.colleagues)} element={<Colleagues />} />
          <Route path={below(paths.apiKeys)} element={<ApiKeys />} />
          <Route path={below(paths.customerData)} element={<CustomerData />} />
          <Route path={below(paths.pharmacyAudit)} element={<PharmacyAudit />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </>
  )
}
