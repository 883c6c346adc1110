import { hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Megaphone } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { BoardPage } from '../../features/priority/board/board-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { PageTabs } from '../shell/page-tabs.tsx'
import { NotFound } from './not-found.tsx'
import { Unavailable } from './unavailable.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

const SettingsPage = lazy(async () => ({
  default: (await import('../../features/priority/settings/settings-page.tsx')).SettingsPage,
}))
const ReportPage = lazy(async () => ({
  default: (await import('../../features/priority/report/report-page.tsx')).ReportPage,
}))
const PosterPage = lazy(async () => ({
  default: (await import('../../features/priority/poster/poster-page.tsx')).PosterPage,
}))

const pages = [
  { to: paths.priority, label: 'Clienti' },
  { to: paths.priorityReport, label: 'Report' },
  { to: paths.prioritySettings, label: 'Impostazioni' },
  { to: paths.priorityPoster, label: 'Cartello' },
]

function PriorityOff() {
  useDocumentTitle('Priority')
  return (
    <Unavailable icon={<Megaphone />} title="Funzionalità Priority Access non abilitata">
      Contatta l'amministratore per abilitare questa funzionalità nel tuo piano.
    </Unavailable>
  )
}

function PriorityPages({ pharmacy }: { pharmacy: OwnPharmacy }) {
  return (
    <>
      <PageTabs label="Priority" pages={pages} />
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route index element={<BoardPage />} />
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
    <WithPharmacy>
      {(pharmacy) =>
        hasFeature(pharmacy, 'priority_access') ? (
          <PriorityPages pharmacy={pharmacy} />
        ) : (
          <PriorityOff />
        )
      }
    </WithPharmacy>
  )
}
