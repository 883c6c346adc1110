import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { accountPagesFor } from '../shell/navigation.ts'
import { PageTabs } from '../shell/page-tabs.tsx'

/** Layout of the pages about the account and the colleagues, with their navigation. */
export function AccountPages() {
  const { data: pharmacy } = useOwnPharmacy()
  const pages = accountPagesFor(pharmacy)
  return (
    <>
      {pages.length > 1 ? (
        <PageTabs label="Account" pages={pages} className="mx-auto w-full max-w-3xl" />
      ) : null}
      <Suspense fallback={<PageSpinner />}>
        <Outlet />
      </Suspense>
    </>
  )
}
