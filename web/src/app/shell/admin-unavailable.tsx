import { ServerOff } from 'lucide-react'
import { errorMessage } from '../../lib/messages.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AdminHeader } from './admin-header.tsx'
import { Footer } from './footer.tsx'

type AdminUnavailableProps = { error: Error; trying: boolean; onRetry: () => void }

/** Shown instead of the administration while the server cannot confirm the role. */
export function AdminUnavailable({ error, trying, onRetry }: AdminUnavailableProps) {
  useDocumentTitle('Amministrazione')
  return (
    <div className="flex min-h-dvh flex-col">
      <AdminHeader email={null} />
      <main className="grid flex-1 place-content-center">
        <div role="alert">
          <EmptyState
            heading="h1"
            icon={<ServerOff />}
            title="Non riusciamo a verificare il tuo accesso"
            action={
              <Button look="primary" inactive={trying} onClick={onRetry}>
                Riprova
              </Button>
            }
          >
            {errorMessage(error)}
          </EmptyState>
        </div>
      </main>
      <Footer />
    </div>
  )
}
