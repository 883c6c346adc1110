import {
  type PharmacyAirtable as Airtable,
  type AirtableAccess,
  checkAirtableAccess,
  getPharmacyAirtable,
  removeAirtableToken,
} from '@bancone/contract/airtable'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { AccessResult } from './access-result.tsx'
import { sharedText, tokenText, webhookText } from './airtable-texts.ts'
import { TokenDialog } from './token-dialog.tsx'

/** Longer than the server's limit of the three requests of a check. */
const CHECK_TIMEOUT_MS = 30_000

/** How the Airtable base of a pharmacy is reached: its token, and whether Airtable reports changes. */
export function PharmacyAirtable({ pharmacyId }: { pharmacyId: string }) {
  const id = useId()
  const query = useEndpoint(getPharmacyAirtable, { params: { pharmacyId } })
  const heading = useRef<HTMLHeadingElement>(null)
  // Most pharmacies that have left Airtable never come back to it.
  if (query.data?.baseId === null) return null
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface p-4 md:p-5">
      <h2
        ref={heading}
        id={id}
        tabIndex={-1}
        className="text-lg leading-tight font-medium outline-none"
      >
        Collegamento con Airtable
      </h2>
      <QueryStates query={query} skeleton={<AirtableSkeleton />}>
        {(airtable) => <Connection pharmacyId={pharmacyId} airtable={airtable} heading={heading} />}
      </QueryStates>
    </section>
  )
}

type ConnectionProps = {
  pharmacyId: string
  airtable: Airtable
  heading: React.RefObject<HTMLHeadingElement | null>
}

function Connection({ pharmacyId, airtable, heading }: ConnectionProps) {
  const opened = useOpened<'set' | 'remove'>(heading)
  const { busy, failure, clearFailure, run } = useAction()
  const [access, setAccess] = useState<AirtableAccess | null>(null)
  const { token } = airtable
  const isOwn = token.setAt !== null
  const shared = sharedText(airtable)
  const webhook = webhookText(airtable)
  const close = { onClose: opened.close, onReturnFocus: opened.returnFocus }

  function check() {
    clearFailure()
    setAccess(null)
    void run(async () => {
      const request = { params: { pharmacyId } }
      setAccess(await call(checkAirtableAccess, request, { timeoutMs: CHECK_TIMEOUT_MS }))
    })
  }

  return (
    <div className="mt-4 flex flex-col gap-4">
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact term="Token" title={tokenText(airtable)} hint={shared ?? ''} />
        <Fact term="Modifiche in Airtable" {...webhook} />
      </dl>
      {token.isReadable ? null : (
        <Alert tone="notice">
          Per questa base è salvato un token che non si può più leggere, perché il segreto del
          server è cambiato. Impostalo di nuovo.
        </Alert>
      )}
      {access === null ? null : <AccessResult access={access} />}
      <FailureAlert failure={failure} />
      <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
        <Button
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => opened.open('set', currentTarget)}
        >
          {isOwn ? 'Sostituisci token' : 'Imposta token'}
        </Button>
        <Button inactive={busy} onClick={check}>
          {busy ? 'Verifica…' : 'Verifica token'}
        </Button>
        {isOwn ? (
          <Button
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => opened.open('remove', currentTarget)}
          >
            Rimuovi token
          </Button>
        ) : null}
      </div>
      {opened.item === 'set' ? (
        <TokenDialog pharmacyId={pharmacyId} shared={shared} onSaved={setAccess} {...close} />
      ) : null}
      {opened.item === 'remove' ? (
        <RemoveTokenDialog
          pharmacyId={pharmacyId}
          shared={shared}
          onRemoved={() => setAccess(null)}
          {...close}
        />
      ) : null}
    </div>
  )
}

function Fact({ term, title, hint }: { term: string; title: string; hint: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-0.5 font-medium text-pretty">{title}</dd>
      {hint === '' ? null : <dd className="mt-0.5 text-sm text-pretty text-muted">{hint}</dd>}
    </div>
  )
}

type RemoveTokenDialogProps = {
  pharmacyId: string
  shared: string | null
  onRemoved: () => void
  onClose: () => void
  onReturnFocus: () => void
}

function RemoveTokenDialog({ pharmacyId, shared, onRemoved, ...dialog }: RemoveTokenDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeAirtableToken)

  async function remove() {
    const airtable = await mutateAsync({ params: { pharmacyId } })
    client.setQueryData(endpointKey(getPharmacyAirtable, { params: { pharmacyId } }), airtable)
    onRemoved()
    toastSuccess('Token rimosso')
  }

  return (
    <ConfirmDialog
      title="Rimuovere il token?"
      text={`La base sarà letta con il token del server, se c’è e può vederla. Altrimenti gli ordini restano quelli di ora.${shared === null ? '' : ` ${shared}`}`}
      confirm="Rimuovi"
      confirming="Rimozione in corso…"
      onConfirm={remove}
      {...dialog}
    />
  )
}

function AirtableSkeleton() {
  return (
    <Loading className="mt-4 grid gap-4 sm:grid-cols-2">
      {[1, 2].map((fact) => (
        <Skeleton key={fact} className="h-14" />
      ))}
    </Loading>
  )
}
