import { adminMigrationPath } from '@bancone/contract/admin-pages'
import type { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import { Link } from 'react-router'
import { errorMessage } from '../../lib/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type SourceDialogProps = {
  pharmacy: AdminPharmacy
  /** @throws when the server refuses it */
  onConfirm: () => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks before the orders of a pharmacy come from elsewhere; a refusal says what is missing. */
export function SourceDialog({ pharmacy, ...dialog }: SourceDialogProps) {
  const { id, name, use_supabase_orders: isInDatabase } = pharmacy
  const question = isInDatabase
    ? {
        title: `Tornare ad Airtable per «${name}»?`,
        text: 'Prima le modifiche in attesa vanno in Airtable e tutto viene confrontato; poi ordini e analytics usano di nuovo Airtable. Gli ordini eliminati in Airtable spariscono anche qui.',
        confirm: 'Torna ad Airtable',
      }
    : {
        title: `Passare a Supabase per «${name}»?`,
        text: 'Ordini e analytics usano solo il database; le modifiche vanno ancora anche in Airtable. Serve una migrazione verificata, con 24 ore di confronto senza differenze.',
        confirm: 'Passa a Supabase',
      }
  return (
    <ConfirmDialog
      {...dialog}
      {...question}
      look="primary"
      confirming="Cambio in corso…"
      explain={(error) => `Errore durante la modifica della fonte ordini. ${errorMessage(error)}`}
    >
      <Link to={adminMigrationPath(id)} className="self-start text-accent underline">
        Apri la migrazione
      </Link>
    </ConfirmDialog>
  )
}
