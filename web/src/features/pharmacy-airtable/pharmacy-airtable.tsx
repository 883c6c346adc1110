import {
  type PharmacyAirtable as Airtable,
  type AirtableAccess,
  checkAirtableAccess,
  getPharmacyAirtable,
  removeAirtableToken,
  setAirtableToken,
} from '@bancone/contract/airtable'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formFields } from '../../lib/form-fields.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useAction } from '../../lib/use-action.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { accessProblems, sharedText, tokenText, webhookText } from './airtable-texts.ts'

/** Longer than the server's limit of the three requests of a check. */
const CHECK_TIMEOUT_MS = 30_000

/** How the Airtable base of a pharmacy is reached: its token, and whether Airtable reports changes. */
export function PharmacyAirtable({ pharmacyId }: { pharmacyId: string }) {
  const query = useEndpoint(getPharmacyAirtable, { params: { pharmacyId } })
  const heading = useRef<HTMLHeadingElement>(null)
  // Most pharmacies that have left Airtable never come back to it.
  if (query.data?.baseId === null) return null
  return (
    <CardSection title="Collegamento con Airtable" heading={heading}>
      <QueryStates
        query={query}
        skeleton={<LinesSkeleton lines={['', '']} line="h-14" className="gap-4" />}
      >
        {(airtable) => <Connection pharmacyId={pharmacyId} airtable={airtable} heading={heading} />}
      </QueryStates>
    </CardSection>
  )
}

type ConnectionProps = {
  pharmacyId: string
  airtable: Airtable
  heading: React.RefObject<HTMLHeadingElement | null>
}

function Connection({ pharmacyId, airtable, heading }: ConnectionProps) {
  const opened = useOpened<'set' | 'remove'>(heading)
  const { busy, failure, run } = useAction()
  const [access, setAccess] = useState<AirtableAccess | null>(null)
  const { token } = airtable
  const isOwn = token.setAt !== null
  const shared = sharedText(airtable)
  const webhook = webhookText(airtable)

  function check() {
    setAccess(null)
    void run(async () => {
      const request = { params: { pharmacyId } }
      setAccess(await call(checkAirtableAccess, request, { timeoutMs: CHECK_TIMEOUT_MS }))
    })
  }

  return (
    <>
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
        <TokenDialog
          pharmacyId={pharmacyId}
          shared={shared}
          onSaved={setAccess}
          {...opened.modal}
        />
      ) : null}
      {opened.item === 'remove' ? (
        <RemoveTokenDialog
          pharmacyId={pharmacyId}
          shared={shared}
          onRemoved={() => setAccess(null)}
          {...opened.modal}
        />
      ) : null}
    </>
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

type RemoveTokenDialogProps = ModalProps & {
  pharmacyId: string
  shared: string | null
  onRemoved: () => void
}

function RemoveTokenDialog({ pharmacyId, shared, onRemoved, ...dialog }: RemoveTokenDialogProps) {
  const client = useQueryClient()

  async function remove() {
    const airtable = await call(removeAirtableToken, { params: { pharmacyId } })
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

/** What a token may do. */
function AccessResult({ access }: { access: AirtableAccess }) {
  const { problem, canReadSchema, canManageWebhooks } = access
  if (problem !== null) return <Alert tone="error">{accessProblems[problem]}</Alert>
  const missing = [
    !canManageWebhooks && 'webhook:manage, per gli avvisi di Airtable al posto del controllo',
    !canReadSchema && 'schema.bases:read, per sapere quali colonne mancano',
  ].filter((text) => text !== false)
  return (
    <Alert tone={missing.length === 0 ? 'done' : 'notice'}>
      <p className="font-medium">Il token legge gli ordini</p>
      {missing.length === 0 ? (
        <p>Ha anche i permessi per gli avvisi e per le colonne.</p>
      ) : (
        <>
          <p>Non ha questi permessi, che si possono aggiungere in Airtable:</p>
          <ul className="list-disc pl-4.5 wrap-anywhere">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  )
}

type TokenDialogProps = ModalProps & {
  pharmacyId: string
  /** What is known besides; null for nothing. */
  shared: string | null
  onSaved: (access: AirtableAccess) => void
}

/** Sets or replaces the token of the pharmacy's base. */
function TokenDialog({ pharmacyId, shared, onSaved, onClose, onReturnFocus }: TokenDialogProps) {
  const client = useQueryClient()
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(setAirtableToken.body, {
      error: () => 'Incolla il token per intero: comincia con «pat».',
    }),
    defaultValues: { token: '' },
  })
  const { setFocus } = form
  const busy = form.formState.isSubmitting
  useEffect(() => setFocus('token'), [setFocus])

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      const { check, airtable } = await call(setAirtableToken, { params: { pharmacyId }, body })
      client.setQueryData(endpointKey(getPharmacyAirtable, { params: { pharmacyId } }), airtable)
      if (check.problem !== null) {
        form.setError('token', { message: accessProblems[check.problem] }, { shouldFocus: true })
        return
      }
      toastSuccess('Token salvato')
      onSaved(check)
      onClose()
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <FormDialog
      title="Token di Airtable"
      text={`Un token di accesso personale con i permessi data.records:read e data.records:write sulla base. Lo proviamo e lo salviamo cifrato: poi non si vede più. I token di uno stesso utente di Airtable si dividono il suo limite di richieste: per averne di più serve il token di un altro utente.${shared === null ? '' : ` ${shared}`}`}
      confirm="Prova e salva"
      confirming="Prova in corso…"
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <PasswordField
        label="Token"
        what="il token"
        autoComplete="off"
        {...formFields(form)('token')}
      />
    </FormDialog>
  )
}
