import { type Colleague, MAX_COLLEAGUES, removeColleague } from '@bancone/contract/colleagues'
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ChangeSheet } from './change-sheet.tsx'
import { ColleagueList, ColleagueListSkeleton } from './colleague-list.tsx'
import { roles, roleTexts } from './colleague-texts.ts'
import { InviteSheet } from './invite-sheet.tsx'
import { invalidateColleagues, setCachedColleague, useColleagues } from './use-colleagues.ts'

function NoColleagues() {
  return (
    <EmptyList icon={<Users />} title="Non hai ancora invitato nessuno">
      Invita chi lavora con te: ognuno entra con la propria email e password, e nella cronologia
      degli ordini si vede chi ha fatto cosa.
    </EmptyList>
  )
}

/** The colleagues of the pharmacy, and their roles. */
export function ColleaguesPage() {
  const client = useQueryClient()
  const query = useColleagues()
  const [inviting, setInviting] = useState(false)
  const inviteButton = useRef<HTMLButtonElement>(null)
  const changing = useOpened<Colleague>(inviteButton)
  const removing = useOpened<Colleague>(inviteButton)
  const invited = query.data?.colleagues.filter(({ isPrimary }) => !isPrimary).length ?? 0
  const full = invited >= MAX_COLLEAGUES

  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Colleghi</PageTitle>
        <Button
          ref={inviteButton}
          look="primary"
          aria-haspopup="dialog"
          inactive={full}
          onClick={() => setInviting(true)}
        >
          <UserPlus aria-hidden />
          Invita un collega
        </Button>
      </div>
      {full ? (
        <p className="text-sm text-muted">
          Hai {MAX_COLLEAGUES} colleghi, il massimo: per invitarne altri rimuovine uno.
        </p>
      ) : null}
      <QueryStates query={query} skeleton={<ColleagueListSkeleton />}>
        {({ colleagues }) => (
          <>
            <ColleagueList
              colleagues={colleagues}
              focusFallback={inviteButton}
              actions={{ onChange: changing.open, onRemove: removing.open }}
            />
            {invited === 0 ? <NoColleagues /> : <RoleLegend />}
          </>
        )}
      </QueryStates>
      {inviting ? (
        <InviteSheet
          onInvited={({ email }) => {
            toastSuccess('Invito inviato', { about: 'colleague', description: email })
            void invalidateColleagues(client)
          }}
          onClose={() => setInviting(false)}
          onReturnFocus={() => inviteButton.current?.focus()}
        />
      ) : null}
      {changing.item ? (
        <ChangeSheet
          colleague={changing.item}
          onChanged={(colleague) => {
            void setCachedColleague(client, colleague)
            toastSuccess('Modifiche salvate', { about: 'colleague', description: colleague.name })
          }}
          onFailed={() => void invalidateColleagues(client)}
          onClose={changing.close}
          onReturnFocus={changing.returnFocus}
        />
      ) : null}
      {removing.item ? (
        <RemoveDialog
          colleague={removing.item}
          onRemoved={async ({ name }) => {
            await invalidateColleagues(client)
            toastSuccess('Collega rimosso', { description: name })
          }}
          onClose={removing.close}
          onReturnFocus={removing.returnFocus}
        />
      ) : null}
    </div>
  )
}

/** Explains the permissions of each role. */
function RoleLegend() {
  return (
    <dl className="flex flex-col gap-1.5 px-1 text-sm text-muted">
      {roles.map((role) => (
        <div key={role}>
          <dt className="inline font-medium text-ink">{roleTexts[role].name}: </dt>
          <dd className="inline">{roleTexts[role].means}</dd>
        </div>
      ))}
    </dl>
  )
}

type RemoveDialogProps = {
  colleague: Colleague
  onRemoved: (colleague: Colleague) => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

const leaves =
  "Esce subito da tutti i dispositivi e non potrà più entrare. Ciò che ha fatto resta: nella cronologia degli ordini e nelle note c'è ancora il suo nome."
const neverCame =
  'Il link che ha ricevuto smette di funzionare subito. Potrai invitare di nuovo questo indirizzo quando vuoi.'

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'colleagues.not_found'
}

/** Removes a colleague. */
function RemoveDialog(props: RemoveDialogProps) {
  const { colleague, onRemoved, onClose, onReturnFocus } = props
  const { mutateAsync, error } = useEndpointMutation(removeColleague)
  useRoleRefresh(error)

  async function remove() {
    try {
      await mutateAsync({ params: { colleagueId: colleague.id } })
    } catch (reason) {
      // The colleague has been removed elsewhere already.
      if (!isGone(reason)) throw reason
    }
    await onRemoved(colleague)
  }

  return (
    <ConfirmDialog
      title={`Rimuovere ${colleague.name}?`}
      text={colleague.hasJoined ? leaves : neverCame}
      confirm="Rimuovi"
      confirming="Rimozione in corso…"
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <p className="text-sm text-muted wrap-anywhere">{colleague.email}</p>
    </ConfirmDialog>
  )
}
