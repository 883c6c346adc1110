import { hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import { MessageCircle } from 'lucide-react'
import { useEffect } from 'react'
import { WhatsAppPage } from '../../features/whatsapp/whatsapp-page.tsx'
import { parseUrl } from '../../lib/parse-url.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { RequireFeature, Unavailable } from './access.tsx'

export function WhatsApp() {
  const isOwn = useOwnDocument(paths.whatsapp)
  if (!isOwn) return <PageSpinner />
  return (
    <RequireFeature
      feature="whatsapp_integration"
      renderRefusal={() => (
        <Unavailable
          icon={<MessageCircle />}
          title="Integrazione WhatsApp non abilitata"
          text="Contatta l'amministratore per abilitare questa funzionalità nel tuo piano."
        />
      )}
    >
      {(pharmacy) => (
        <WhatsAppPage
          isOwner={pharmacy.role === 'owner'}
          hasPriority={hasFeature(pharmacy, 'priority_access')}
        />
      )}
    </RequireFeature>
  )
}

/** The path that the document was loaded from; null when the browser does not say. */
function documentPath(): string | null {
  const [entry] = performance.getEntriesByType('navigation')
  return parseUrl(entry?.name ?? '')?.pathname ?? null
}

/**
 * For a page whose document has a content security policy of its own. The page is loaded anew when the application has
 * led to it from another one, and the next page is loaded anew when it is left: then what the policy has let in is gone.
 *
 * @returns false while the page is being loaded anew
 */
function useOwnDocument(path: string): boolean {
  const from = documentPath()
  const isOwn = from === null || from === path
  useEffect(() => {
    if (!isOwn) location.reload()
  }, [isOwn])
  useEffect(
    () => () => {
      if (location.pathname !== path) location.reload()
    },
    [path],
  )
  return isOwn
}
