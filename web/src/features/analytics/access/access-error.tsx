import { ApiError } from '../../../lib/api.ts'
import { useDocumentTitle } from '../../../lib/use-document-title.ts'
import { ErrorCard } from './error-card.tsx'

const NOT_CHECKED = 'Impossibile verificare i permessi della farmacia'

function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Errore sconosciuto'
  return error.code === 'pharmacy.not_found' ? 'Farmacia non trovata' : NOT_CHECKED
}

type AccessErrorProps = { error: unknown; busy: boolean; onRetry: () => void }

/** The pharmacy, whose features decide on the access, could not be loaded. */
export function AccessError({ error, busy, onRetry }: AccessErrorProps) {
  useDocumentTitle('Analytics')
  const text = textOf(error)
  return (
    <div className="grid flex-1 content-center">
      <ErrorCard
        title={text}
        text={
          text === NOT_CHECKED
            ? 'Controlla la connessione e riprova.'
            : "Riprova tra poco; se non basta, scrivi all'assistenza."
        }
        busy={busy}
        onRetry={onRetry}
      />
    </div>
  )
}
