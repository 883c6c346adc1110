import {
  type Colleague,
  changeColleague,
  listColleagues,
  MAX_COLLEAGUES,
  removeColleague,
} from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { call, hasCode } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { fieldMessage, trimmed } from './colleague-fields.ts'
import { ColleagueList, ColleagueListSkeleton } from './colleague-list.tsx'
import { roles, roleTexts } from './colleague-texts.ts'
import { InviteSheet } from './invite-sheet.tsx'
import { NameField } from './name-field.tsx'
import { RoleChoice } from './role-choice.tsx'
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
  const { item: removed } = removing
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
          {...changing.modal}
        />
      ) : null}
      {removed ? (
        <RemovalDialog
          title={`Rimuovere ${removed.name}?`}
          text={removed.hasJoined ? leaves : neverCame}
          confirm="Rimuovi"
          confirming="Rimozione in corso…"
          remove={() => call(removeColleague, { params: { colleagueId: removed.id } })}
          goneCode="colleagues.not_found"
          list={listColleagues}
          done="Collega rimosso"
          name={removed.name}
          {...removing.modal}
        >
          <p className="text-sm text-muted wrap-anywhere">{removed.email}</p>
        </RemovalDialog>
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

const leaves =
  "Esce subito da tutti i dispositivi e non potrà più entrare. Ciò che ha fatto resta: nella cronologia degli ordini e nelle note c'è ancora il suo nome."
const neverCame =
  'Il link che ha ricevuto smette di funzionare subito. Potrai invitare di nuovo questo indirizzo quando vuoi.'

type ChangeSheetProps = ModalProps & {
  colleague: Colleague
  onChanged: (colleague: Colleague) => void
  onFailed: () => void
}

/** Edits name and role of a colleague. */
function ChangeSheet(props: ChangeSheetProps) {
  const { colleague, onChanged, onFailed, onClose, onReturnFocus } = props
  const { id, name, role } = colleague
  const { mutateAsync } = useEndpointMutation(changeColleague)
  const { failure, fail } = useFailure()
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(z.required(changeColleague.body), { error: fieldMessage }),
    defaultValues: { name, role },
  })

  const submit = handleSubmit(async (wanted) => {
    // Only the fields changed here: the others may have been changed elsewhere meanwhile.
    const body = {
      ...(wanted.name === name ? {} : { name: wanted.name }),
      ...(wanted.role === role ? {} : { role: wanted.role }),
    }
    try {
      if (Object.keys(body).length > 0) {
        onChanged(await mutateAsync({ params: { colleagueId: id }, body }))
      }
      onClose()
    } catch (reason) {
      onFailed()
      const text = errorMessage(reason)
      if (hasCode(reason, 'colleagues.name_is_own'))
        setError('name', { message: text }, { shouldFocus: true })
      else fail(text)
    }
  })

  return (
    <FormSheet
      title={`Modifica ${name}`}
      busy={formState.isSubmitting}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <NameField error={formState.errors.name?.message} {...register('name', trimmed)} />
      <RoleChoice {...register('role')} />
      <p className="text-sm text-pretty text-muted">Un ruolo nuovo vale subito.</p>
    </FormSheet>
  )
}
