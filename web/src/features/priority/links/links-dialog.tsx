import { issuePriorityLinks, MAX_ISSUED_LINKS, type PriorityLink } from '@bancone/contract/priority'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { problemText } from '../../../lib/use-action.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { LinkList } from './link-list.tsx'
import { SingleLink } from './single-link.tsx'

type LinksDialogProps = {
  recordIds: readonly string[]
  onClose: () => void
  onReturnFocus: () => void
}

type Issued = { links: PriorityLink[]; refused: string[] }

/** Issues the links. Not through the cache, which must not hold secrets. */
function useIssued(recordIds: readonly string[]) {
  const [issued, setIssued] = useState<Issued | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [request, setRequest] = useState({ recordIds: [...recordIds] })
  useEffect(() => {
    if (request.recordIds.length === 0) return
    let isCancelled = false
    call(issuePriorityLinks, { body: request }).then(
      (answer) => {
        if (!isCancelled) setIssued(answer)
      },
      (error: unknown) => {
        if (!isCancelled) setFailure(problemText(error))
      },
    )
    return () => {
      isCancelled = true
    }
  }, [request])
  return {
    issued,
    failure,
    retry() {
      setFailure(null)
      setRequest({ ...request })
    },
  }
}

function refusedText(refused: number, asked: number): string {
  if (asked === 1) return "Per questo ordine non c'è un link: è annullato, o non esiste più."
  return refused === 1
    ? 'Per un ordine non c’è un link: è annullato, o non esiste più.'
    : `Per ${refused} ordini non c’è un link: sono annullati, o non esistono più.`
}

/** The links with which the customers of orders say that they have arrived. */
export function LinksDialog({ recordIds, onClose, onReturnFocus }: LinksDialogProps) {
  const count = recordIds.length
  const tooMany = count > MAX_ISSUED_LINKS
  const { issued, failure, retry } = useIssued(tooMany ? [] : recordIds)
  const [only] = issued?.links ?? []
  return (
    <Sheet
      title={count === 1 ? 'Invia link Priority' : 'Invia i link Priority'}
      closeLabel="Chiudi i link"
      footer={
        <Button className="flex-1" onClick={onClose}>
          Chiudi
        </Button>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-pretty text-muted">
          Chi riceve il link avvisa con un tocco quando è in farmacia. Il link è personale: mandalo
          solo al cliente dell'ordine.
        </p>
        {tooMany ? (
          <Alert tone="notice">
            Puoi inviare al massimo {MAX_ISSUED_LINKS} link alla volta: ne hai scelti {count}.
          </Alert>
        ) : null}
        {failure === null ? null : <RetryAlert onRetry={retry}>{failure}</RetryAlert>}
        {issued && issued.refused.length > 0 ? (
          <Alert tone="notice">{refusedText(issued.refused.length, count)}</Alert>
        ) : null}
        {!issued && failure === null && !tooMany ? (
          <Loading text="Creazione dei link in corso…" className="flex flex-col gap-3">
            <Skeleton shape="control" className="mx-auto size-48" />
            <Skeleton shape="control" className="h-11" />
          </Loading>
        ) : null}
        {issued && only && count === 1 ? <SingleLink link={only} /> : null}
        {issued && count > 1 ? <LinkList links={issued.links} /> : null}
      </div>
    </Sheet>
  )
}
