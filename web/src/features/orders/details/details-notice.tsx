import { formatRelative } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { OrderDetailsResult } from './use-order-details.ts'

type DetailsNoticeProps = {
  detailsQuery: OrderDetailsResult
  /** The order is on no page that is kept up to date. */
  gone: boolean
}

/** Which details could not be loaded, and how old the shown ones are. */
export function DetailsNotice({ detailsQuery, gone }: DetailsNoticeProps) {
  const now = useNow()
  const { details, error, missing, dataUpdatedAt, isFetching } = detailsQuery
  if (!error) return null
  const since = details ? formatRelative(new Date(dataUpdatedAt).toISOString(), now) : null
  const again = (
    <Button size="small" inactive={isFetching} onClick={detailsQuery.refetch}>
      Riprova
    </Button>
  )
  return (
    <div className="mb-4 flex flex-col gap-2 print:hidden">
      {missing ? (
        <Alert tone="notice">
          L'ordine non esiste più: questi sono gli ultimi dati disponibili.
        </Alert>
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
