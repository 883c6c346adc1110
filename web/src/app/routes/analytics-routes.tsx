import { hasFeature } from '@bancone/contract/access'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { AccessError } from '../../features/analytics/access/access-error.tsx'
import { NotEnabled } from '../../features/analytics/access/not-enabled.tsx'
import { AnalyticsPage } from '../../features/analytics/analytics-page.tsx'
import { AnalyticsSkeleton } from '../../features/analytics/analytics-skeleton.tsx'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { NotFound } from './not-found.tsx'

const ReportPage = lazy(async () => ({
  default: (await import('../../features/analytics/report/report-page.tsx')).ReportPage,
}))
const SettingsPage = lazy(async () => ({
  default: (await import('../../features/analytics/settings/settings-page.tsx')).SettingsPage,
}))

function AnalyticsPages({ pharmacy }: { pharmacy: OwnPharmacy }) {
  return (
    <Suspense fallback={<PageSpinner />}>
      <Routes>
        <Route index element={<AnalyticsPage pharmacy={pharmacy} />} />
        <Route path="report" element={<ReportPage pharmacy={pharmacy} />} />
        <Route path="settings" element={<SettingsPage isOwner={pharmacy.role === 'owner'} />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  )
}

/** The pages of analytics, or why there are none: not yet known, not found out, or not part of the plan. */
export function AnalyticsRoutes() {
  const { data: pharmacy, error, isFetching, refetch } = useOwnPharmacy()
  if (pharmacy === undefined) {
    return error ? (
      <AccessError error={error} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <AnalyticsSkeleton />
    )
  }
  return hasFeature(pharmacy, 'analytics') ? (
    <AnalyticsPages pharmacy={pharmacy} />
  ) : (
    <NotEnabled pharmacy={pharmacy} />
  )
}
