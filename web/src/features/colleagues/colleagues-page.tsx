import {
  type Colleague,
  listColleagues,
  MAX_COLLEAGUES,
  removeColleague,
} from '@bancone/contract/colleagues'
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ColleagueList, ColleagueListSkeleton } from './colleague-list.tsx'
import { ChangeSheet, InviteSheet } from './colleague-sheets.tsx'
import { roleOptions } from './colleague-texts.ts'
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
      {roleOptions.map(({ value, label, note }) => (
        <div key={value}>
          <dt className="inline font-medium text-ink">{label}: </dt>
          <dd className="inline">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

const leaves =
  "Esce subito da tutti i dispositivi e non potrà più entrare. Ciò che ha fatto resta: nella cronologia degli ordini e nelle note c'è ancora il suo nome."
const neverCame =
  'Il link che ha ricevuto smette di funzionare subito. Potrai invitare di nuovo questo indirizzo quando vuoi.'
