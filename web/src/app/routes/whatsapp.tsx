import { hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import { MessageCircle } from 'lucide-react'
import { WhatsAppPage } from '../../features/whatsapp/whatsapp-page.tsx'
import { useOwnDocument } from '../../lib/own-document.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Unavailable } from './unavailable.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

function WhatsAppOff() {
  return (
    <Unavailable icon={<MessageCircle />} title="Integrazione WhatsApp non abilitata">
      Contatta l'amministratore per abilitare questa funzionalità nel tuo piano.
    </Unavailable>
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
