import { hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import { MessageCircle } from 'lucide-react'
import { Link } from 'react-router'
import { WhatsAppPage } from '../../features/whatsapp/whatsapp-page.tsx'
import { useOwnDocument } from '../../lib/own-document.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

function WhatsAppOff() {
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<MessageCircle />}
        title="Integrazione WhatsApp non abilitata"
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

export function WhatsApp() {
  useDocumentTitle('Connessione WhatsApp Business')
  const isOwn = useOwnDocument(paths.whatsapp)
  if (!isOwn) return <PageSpinner />
  return (
    <WithPharmacy>
      {(pharmacy) =>
        hasFeature(pharmacy, 'whatsapp_integration') ? (
          <WhatsAppPage
            isOwner={pharmacy.role === 'owner'}
            hasPriority={hasFeature(pharmacy, 'priority_access')}
          />
        ) : (
          <WhatsAppOff />
        )
      }
    </WithPharmacy>
  )
}
