import { type Colleague, inviteColleagueAgain } from '@bancone/contract/colleagues'
import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useRoleDoubt } from '../../lib/owners-only.ts'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { Button } from '../../ui/button.tsx'
import { toastError, toastResult } from '../../ui/toast.ts'
import { putColleague, readAgain } from './use-colleagues.ts'

type InviteAgainProps = {
  colleague: Colleague
  /** Gets the focus when there is nobody to invite any more. */
  heir: RefObject<HTMLElement | null>
}

export function InviteAgain({ colleague, heir }: InviteAgainProps) {
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useEndpointMutation(inviteColleagueAgain)
  useRoleDoubt(error)
  const going = useFocusHeir(heir)

  async function invite() {
    try {
      const invited = await mutateAsync({ params: { colleagueId: colleague.id } })
      putColleague(client, invited)
      toastResult('Invito inviato di nuovo', {
        about: 'colleague',
        description: `Il link di prima non vale più: ${invited.email} ne riceve uno nuovo.`,
      })
    } catch (reason) {
      toastError(errorMessage(reason), { about: 'colleague' })
      // They may have come meanwhile, or be gone.
      void readAgain(client)
    }
  }

  return (
    <div ref={going}>
      <Button
        aria-label={`Invia di nuovo l'invito a ${colleague.name}`}
        inactive={isPending}
        onClick={() => void invite()}
      >
        {isPending ? 'Invio in corso…' : "Invia di nuovo l'invito"}
      </Button>
    </div>
  )
}
