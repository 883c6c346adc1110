import { paths } from '@bancone/contract/pages'
import { type ComponentType, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { page } from '../page.tsx'
import { accountPages, accountPagesFor } from '../shell/navigation.ts'
import { PageTabs } from '../shell/page-tabs.tsx'
import { ownersPage, type Refusal } from './access.tsx'
import { NotFound } from './not-found.tsx'

type Entry = (typeof accountPages)[number]

type PageCode = { load: () => Promise<ComponentType> }

/** The code of each page; of one for owners what all others are told, too. */
const codes: {
  [Path in Entry['to']]: Extract<Entry, { to: Path }> extends { role: 'owner' }
    ? PageCode & { refusal: Refusal }
    : PageCode & { refusal?: never }
} = {
  [paths.account]: {
    async load() {
      const { AccountPage } = await import('../../features/account/account-page.tsx')
      return () => <AccountPage area="pharmacy" />
    },
  },
  [paths.readerTest]: {
    load: async () =>
      (await import('../../features/prescriptions/reader-test-page.tsx')).ReaderTestPage,
  },
  [paths.pharmacyProfile]: {
    refusal: {
      title: 'Il profilo della farmacia è per i titolari',
      text: "Se c'è qualcosa da cambiare, chiedi a un titolare della farmacia.",
    },
    load: async () => (await import('./pharmacy-profile/own-profile.tsx')).OwnProfile,
  },
  [paths.pickup]: {
    refusal: {
      title: 'Il ritiro lo regolano i titolari',
      text: "Se c'è qualcosa da cambiare, chiedi a un titolare della farmacia.",
    },
    load: async () => (await import('../../features/pickup/pickup-page.tsx')).PickupPage,
  },
  [paths.colleagues]: {
    refusal: {
      title: 'I colleghi li gestiscono i titolari',
      text: 'Per invitare qualcuno, o per cambiare chi lavora qui, chiedi a un titolare della farmacia.',
    },
    load: async () =>
      (await import('../../features/colleagues/colleagues-page.tsx')).ColleaguesPage,
  },
  [paths.apiKeys]: {
    refusal: {
      title: 'Le chiavi API sono per i titolari',
      text: 'Se ti serve una chiave, chiedi a un titolare della farmacia di crearla.',
    },
    load: async () => (await import('../../features/api-keys/api-keys-page.tsx')).ApiKeysPage,
  },
  [paths.customerData]: {
    refusal: {
      title: 'I dati dei clienti sono per i titolari',
      text: 'Se un cliente chiede i suoi dati, avvisa un titolare della farmacia.',
    },
    load: async () =>
      (await import('../../features/customer-data/customer-data-page.tsx')).CustomerDataPage,
  },
  [paths.pharmacyAudit]: {
    refusal: {
      title: 'Il registro è per i titolari',
      text: 'Chi ha cambiato qualcosa, e quando, lo vedono i titolari della farmacia.',
    },
    load: async () =>
      (await import('../../features/audit/pharmacy-audit-page.tsx')).PharmacyAuditPage,
  },
}

const routes = accountPages.map(({ to, label }) => {
  const { load, refusal } = codes[to]
  const Page = refusal ? ownersPage(label, refusal, load) : page(label, load)
  return <Route key={to} path={to.slice(paths.account.length + 1)} element={<Page />} />
})

/** The pages about the account and the colleagues, with their navigation. */
export function AccountRoutes() {
  const { data: pharmacy } = useOwnPharmacy()
  const pages = accountPagesFor(pharmacy)
  return (
    <>
      {pages.length > 1 ? (
        <PageTabs label="Account" pages={pages} className="mx-auto w-full max-w-3xl" />
      ) : null}
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          {routes}
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </>
  )
}
