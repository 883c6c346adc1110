import { hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import { BellRing } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { BoardPage } from '../../features/priority/board/board-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

function PriorityOff() {
  useDocumentTitle('Priority')
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<BellRing />}
        title="Funzionalità Priority Access non abilitata"
        action={
          <Link to={paths.dashboard} className={buttonStyle({})}>
            Vai alla dashboard
          </Link>
        }
      >
        Contatta l'amministratore per abilitare questa funzionalità nel tuo piano.
      </EmptyState>
    </div>
  )
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return children
}

/** The pages of priority access, for the staff of pharmacies that have the feature. */
export function PriorityRoutes() {
  return (
    <WithPharmacy>
      {(pharmacy) =>
        hasFeature(pharmacy, 'priority_access') ? (
          <Page title="Priority">
            <BoardPage />
          </Page>
        ) : (
          <PriorityOff />
        )
      }
    </WithPharmacy>
  )
}
