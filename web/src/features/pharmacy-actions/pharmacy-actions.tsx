import {
  getPharmacyAccount,
  type PharmacyAccount,
  readOrdersAgain,
  resetSecondFactors,
  sendPharmacyLink,
} from '@bancone/contract/pharmacy-actions'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ChangeEmailDialog } from './change-email-dialog.tsx'
import { RemovePictureDialog } from './remove-picture-dialog.tsx'

type Action = 'link' | 'email' | 'factors' | 'orders' | 'picture'

type ActionItem = {
  action: Action
  label: string
  text: string
  /** Why it cannot be done now. */
  unavailable?: string | false
}

function actionsOf(account: PharmacyAccount): ActionItem[] {
  const { email, hasJoined, secondFactors, isOnAirtable } = account
  return [
    {
      action: 'link',
      label: hasJoined ? 'Invia link per la password' : "Invia di nuovo l'invito",
      text: hasJoined
        ? `Un link che vale una volta sola, a ${email}, per scegliere una nuova password.`
        : `L'invito a ${email} non è ancora stato accettato.`,
    },
    {
      action: 'email',
      label: 'Cambia indirizzo email',
      text: `Ora è ${email}. Chi è connesso deve accedere di nuovo.`,
    },
    {
      action: 'factors',
      label: 'Azzera la verifica in due passaggi',
      text: 'Per chi ha perso il telefono e i codici di recupero.',
      unavailable: secondFactors === 0 && 'La verifica in due passaggi non è attiva.',
    },
    {
      action: 'orders',
      label: 'Rileggi gli ordini',
      text: 'Tutti gli ordini, da Airtable: anche quelli modificati o tolti senza che si vedesse.',
      unavailable: !isOnAirtable && 'Gli ordini di questa farmacia non arrivano da Airtable.',
    },
    {
      action: 'picture',
      label: "Togli un'immagine dall'archivio",
      text: "L'immagine di un prodotto, per codice: l'archivio è comune a tutte le farmacie.",
    },
  ]
}

type OpenedProps = ModalProps & {
  action: Action
  pharmacyId: string
  account: PharmacyAccount
}

function OpenedDialog({ action, ...props }: OpenedProps) {
  if (action === 'link') return <SendLinkDialog {...props} />
  if (action === 'email') return <ChangeEmailDialog {...props} />
  if (action === 'factors') return <ResetFactorsDialog {...props} />
  if (action === 'orders') return <ReadOrdersDialog {...props} />
  return <RemovePictureDialog onClose={props.onClose} onReturnFocus={props.onReturnFocus} />
}

/** What an administrator does for one pharmacy and its account. */
export function PharmacyActions({ pharmacyId }: { pharmacyId: string }) {
  const id = useId()
  const query = useEndpoint(getPharmacyAccount, { params: { pharmacyId } })
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = useOpened<Action>(heading)

  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface">
      <h2 ref={heading} id={id} tabIndex={-1} className="px-4 pt-4 font-medium outline-none">
        Assistenza
      </h2>
      <QueryStates
        query={query}
        skeleton={<LinesSkeleton line="h-9" lines={['', '', '']} className="gap-3 p-4" />}
      >
        {(account) => (
          <>
            <p className="px-4 pt-1 text-sm text-muted">
              {account.lastSignInAt === null
                ? "L'account non ha mai fatto accesso."
                : `Ultimo accesso dell'account: ${formatDateTime(account.lastSignInAt)}.`}
            </p>
            <ul className="mt-2 divide-y divide-line border-t border-line">
              {actionsOf(account).map(({ action, label, text, unavailable }) => (
                <li
                  key={action}
                  className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3"
                >
                  <p className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere text-muted">
                    {unavailable || text}
                  </p>
                  <Button
                    aria-haspopup="dialog"
                    inactive={Boolean(unavailable)}
                    className="max-sm:w-full max-sm:whitespace-normal"
                    onClick={({ currentTarget }) => opened.open(action, currentTarget)}
                  >
                    {label}
                  </Button>
                </li>
              ))}
            </ul>
            {opened.item ? (
              <OpenedDialog
                action={opened.item}
                pharmacyId={pharmacyId}
                account={account}
                {...opened.modal}
              />
            ) : null}
          </>
        )}
      </QueryStates>
    </section>
  )
}

type ActionDialogProps = ModalProps & {
  pharmacyId: string
  account: PharmacyAccount
}

function SendLinkDialog({ pharmacyId, account, ...dialog }: ActionDialogProps) {
  const { mutateAsync } = useEndpointMutation(sendPharmacyLink)

  async function send() {
    const { sent } = await mutateAsync({ params: { pharmacyId } })
    toastSuccess(sent === 'invitation' ? 'Invito inviato' : 'Link inviato')
  }

  return (
    <ConfirmDialog
      title={account.hasJoined ? 'Inviare il link per la password?' : "Inviare di nuovo l'invito?"}
      text={
        account.hasJoined
          ? `${account.email} riceve un link per scegliere una nuova password. Quella di adesso resta valida fino ad allora.`
          : `${account.email} riceve un nuovo invito. Il link di prima non vale più.`
      }
      confirm="Invia"
      confirming="Invio in corso…"
      onConfirm={send}
      {...dialog}
    />
  )
}

function ResetFactorsDialog({ pharmacyId, account, ...dialog }: ActionDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(resetSecondFactors)

  async function reset() {
    const changed = await mutateAsync({ params: { pharmacyId } })
    client.setQueryData(endpointKey(getPharmacyAccount, { params: { pharmacyId } }), changed)
    toastSuccess('Verifica in due passaggi azzerata')
  }

  return (
    <ConfirmDialog
      title="Azzerare la verifica in due passaggi?"
      text={`Per accedere come ${account.email} basterà la password, finché la verifica non viene attivata di nuovo. Fallo solo se hai riconosciuto chi lo chiede: lo avvisiamo con un'email.`}
      confirm="Azzera"
      confirming="In corso…"
      onConfirm={reset}
      {...dialog}
    />
  )
}

function ReadOrdersDialog({ pharmacyId, account: _, ...dialog }: ActionDialogProps) {
  const { mutateAsync } = useEndpointMutation(readOrdersAgain)

  async function read() {
    await mutateAsync({ params: { pharmacyId } })
    toastSuccess('Rilettura degli ordini avviata')
  }

  return (
    <ConfirmDialog
      title="Rileggere tutti gli ordini?"
      text="Gli ordini vengono letti di nuovo da Airtable, dal primo all'ultimo. Con molti ordini servono alcuni minuti; intanto la farmacia lavora come sempre."
      confirm="Rileggi"
      confirming="Avvio in corso…"
      onConfirm={read}
      {...dialog}
    />
  )
}
