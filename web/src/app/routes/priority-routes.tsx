import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Megaphone } from 'lucide-react'
import { Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { BoardPage } from '../../features/priority/board/board-page.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { page, Titled } from '../page.tsx'
import { PageTabs } from '../shell/page-tabs.tsx'
import { RequireFeature, Unavailable } from './access.tsx'
import { NotFound } from './not-found.tsx'

const SettingsPage = page(
  'Impostazioni Priority',
  async () =>
    (await import('../../features/priority/settings/priority-settings-page.tsx')).SettingsPage,
)
const ReportPage = page(
  'Report Priority',
  async () => (await import('../../features/priority/report/priority-report-page.tsx')).ReportPage,
)
const PosterPage = page(
  'Cartello Priority',
  async () => (await import('../../features/priority/poster/poster-page.tsx')).PosterPage,
)

const pages = [
  { to: paths.priority, label: 'Clienti' },
  { to: paths.priorityReport, label: 'Report' },
  { to: paths.prioritySettings, label: 'Impostazioni' },
  { to: paths.priorityPoster, label: 'Cartello' },
]

function PriorityPages({ pharmacy }: { pharmacy: OwnPharmacy }) {
  return (
    <>
      <PageTabs label="Priority" pages={pages} />
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route
            index
            element={
              <Titled title="Priority">
                <BoardPage />
              </Titled>
            }
          />
          <Route path="report" element={<ReportPage />} />
          <Route path="settings" element={<SettingsPage isOwner={pharmacy.role === 'owner'} />} />
          <Route path="poster" element={<PosterPage pharmacy={pharmacy} />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </>
  )
}

/** The pages of priority access, for the staff of pharmacies that have the feature. */
export function PriorityRoutes() {
  return (
    <RequireFeature
      feature="priority_access"
      renderRefusal={() => (
        <Titled title="Priority">
          <Unavailable
            icon={<Megaphone />}
            title="Funzionalità Priority Access non abilitata"
            text="Contatta l'amministratore per abilitare questa funzionalità nel tuo piano."
          />
        </Titled>
      )}
    >
      {(pharmacy) => <PriorityPages pharmacy={pharmacy} />}
    </RequireFeature>
  )
}
