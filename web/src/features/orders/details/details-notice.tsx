import { formatRelative } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { ReadDetails } from './use-order-details.ts'

type DetailsNoticeProps = {
  read: ReadDetails
  /** No page that is kept up to date has it any more. */
  gone: boolean
}

/** What could not be read of the details, and how far what is shown can be trusted. */
export function DetailsNotice({ read, gone }: DetailsNoticeProps) {
  const now = useNow()
  const { details, error, missing, readAt, reading } = read
  if (!error) return null
  const since = details ? formatRelative(new Date(readAt).toISOString(), now) : null
  const again = (
    <Button size="small" inactive={reading} onClick={read.read}>
      Riprova
    </Button>
  )
  return (
    <div className="mb-4 flex flex-col gap-2 print:hidden">
      {missing ? (
        <Alert tone="notice">L'ordine non esiste più: quello che vedi è quanto se ne sapeva.</Alert>
      ) : (
        <>
          {gone && !details ? (
            <Alert tone="notice">
              L'ordine non è più in questa pagina dell'elenco: nel frattempo può essere cambiato.
            </Alert>
          ) : null}
          <Alert tone={details ? 'notice' : 'error'} action={again}>
            {details
              ? `Impossibile aggiornare il dettaglio, letto ${since ?? 'tempo fa'}.`
              : `Cronologia, note e altri ordini non si sono caricati. ${errorMessage(error)}`}
          </Alert>
        </>
      )}
    </div>
  )
}
