import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Store } from 'lucide-react'
import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { pharmacySession, useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/**
 * @param before the pharmacy that was loaded before the error
 * @param userId the primary account of a pharmacy has the id of the pharmacy
 */
function words(
  error: unknown,
  before: OwnPharmacy | undefined,
  userId: string | null,
): { title: string; text: string } {
  const code = error instanceof ApiError ? error.code : null
  if (code === 'pharmacy.inactive') {
    return {
      title: errorMessage(error),
      text: 'Per riattivarla o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.',
    }
  }
  if (code === 'pharmacy.not_found' && before && before.id === userId) {
    return {
      title: 'La farmacia è stata eliminata.',
      text: `Per ripristinare «${before.name}» o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.`,
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
  const session = useSession(pharmacySession)
  const userId = session.status === 'signed-in' ? session.userId : null
  const { title, text } = words(error, before, userId)
  return (
    <div role="alert" className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Store />}
        title={title}
        action={
          <Button look="primary" onClick={() => pharmacySession.signOut()}>
            Logout
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}
