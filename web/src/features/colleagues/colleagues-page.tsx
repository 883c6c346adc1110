import { type Colleague, MAX_COLLEAGUES } from '@bancone/contract/colleagues'
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorMessage } from '../../lib/messages.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ChangeSheet } from './change-sheet.tsx'
import { ColleagueList, ColleagueListSkeleton } from './colleague-list.tsx'
import { InviteSheet } from './invite-sheet.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RoleLegend } from './role-legend.tsx'
import { invalidateColleagues, setCachedColleague, useColleagues } from './use-colleagues.ts'

type Opened = { colleague: Colleague; opener: HTMLElement }

function NoColleagues() {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState icon={<Users />} title="Non hai ancora invitato nessuno">
        Invita chi lavora con te: ognuno entra con la propria email e password, e nella cronologia
        degli ordini si vede chi ha fatto cosa.
      </EmptyState>
    </div>
  )
}

/** The colleagues of the pharmacy, and their roles. */
export function ColleaguesPage() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useColleagues()
  const [inviting, setInviting] = useState(false)
  const [changing, setChanging] = useState<Opened | null>(null)
  const [removing, setRemoving] = useState<Opened | null>(null)
  const inviteButton = useRef<HTMLButtonElement>(null)
  const colleagues = data?.colleagues ?? []
  const invited = colleagues.filter(({ isPrimary }) => !isPrimary)
  const full = invited.length >= MAX_COLLEAGUES

  /** The button disappears with its colleague. */
  function returnFocus({ opener }: Opened) {
    const place = opener.isConnected ? opener : inviteButton.current
    place?.focus()
  }

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
      {error ? (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {errorMessage(error)}
        </RetryAlert>
      ) : null}
      {data ? (
        <ColleagueList
          colleagues={colleagues}
          focusFallback={inviteButton}
          actions={{
            onChange: (colleague, opener) => setChanging({ colleague, opener }),
            onRemove: (colleague, opener) => setRemoving({ colleague, opener }),
          }}
        />
      ) : null}
      {data && invited.length === 0 ? <NoColleagues /> : null}
      {invited.length > 0 ? <RoleLegend /> : null}
      {!data && !error ? <ColleagueListSkeleton /> : null}
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
      {changing ? (
        <ChangeSheet
          colleague={changing.colleague}
          onChanged={(colleague) => {
            setCachedColleague(client, colleague)
            toastSuccess('Modifiche salvate', { about: 'colleague', description: colleague.name })
            void invalidateColleagues(client)
          }}
          onFailed={() => void invalidateColleagues(client)}
          onClose={() => setChanging(null)}
          onReturnFocus={() => returnFocus(changing)}
        />
      ) : null}
      {removing ? (
        <RemoveDialog
          colleague={removing.colleague}
          onRemoved={async () => {
            await invalidateColleagues(client)
            toastSuccess('Collega rimosso', { description: removing.colleague.name })
          }}
          onClose={() => setRemoving(null)}
          onReturnFocus={() => returnFocus(removing)}
        />
      ) : null}
    </div>
  )
}
