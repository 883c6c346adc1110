import { Store } from 'lucide-react'
import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { pharmacySession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** In the place of every page when the account has no pharmacy to show, or one that is not active. */
export function NoPharmacy({ error }: { error: unknown }) {
  const inactive = error instanceof ApiError && error.code === 'pharmacy.inactive'
  return (
    <div role="alert" className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Store />}
        title={
          inactive ? errorMessage(error) : 'A questo accesso non corrisponde nessuna farmacia.'
        }
        action={<Button onClick={() => pharmacySession.signOut()}>Logout</Button>}
      >
        {inactive
          ? 'Per riattivarla o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.'
          : "Fai il logout e accedi con l'account della farmacia."}
      </EmptyState>
    </div>
  )
}
