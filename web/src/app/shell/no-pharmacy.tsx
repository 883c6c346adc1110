import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Store } from 'lucide-react'
import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { pharmacySession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** @param before the pharmacy that was loaded before the error */
function words(error: unknown, before: OwnPharmacy | undefined): { title: string; text: string } {
  const code = error instanceof ApiError ? error.code : null
  if (code === 'pharmacy.inactive') {
    return {
      title: errorMessage(error),
      text: 'Per riattivarla o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.',
    }
  }
  if (code === 'pharmacy.not_found' && before) {
    return {
      title: 'Non fai più parte di questa farmacia',
      text: `Per tornare a lavorare in «${before.name}» chiedi a un titolare di invitarti di nuovo.`,
    }
  }
  return {
    title: 'A questo accesso non corrisponde nessuna farmacia.',
    text: "Fai il logout e accedi con l'account della farmacia.",
  }
}

type NoPharmacyProps = { error: unknown; before: OwnPharmacy | undefined }

/** Replaces every page when the account has no pharmacy, or an inactive one. */
export function NoPharmacy({ error, before }: NoPharmacyProps) {
  const { title, text } = words(error, before)
  return (
    <div role="alert" className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Store />}
        title={title}
        action={<Button onClick={() => pharmacySession.signOut()}>Logout</Button>}
      >
        {text}
      </EmptyState>
    </div>
  )
}
