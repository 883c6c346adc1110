import { Store } from 'lucide-react'
import { errorMessage } from '../../lib/messages.ts'
import { signOut } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** In the place of every page when the account has no pharmacy to show, or one that is not active. */
export function NoPharmacy({ error }: { error: unknown }) {
  return (
    <div role="alert" className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Store />}
        title={errorMessage(error)}
        action={<Button onClick={() => void signOut()}>Esci</Button>}
      >
        Per riattivarla o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.
      </EmptyState>
    </div>
  )
}
