import { type Colleague, inviteColleagueAgain } from '@bancone/contract/colleagues'
import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { invalidateColleagues, setCachedColleague } from './use-colleagues.ts'

type InviteAgainProps = {
  colleague: Colleague
  /** Gets the focus when the button disappears. */
  focusFallback: RefObject<HTMLElement | null>
}

export function InviteAgain({ colleague, focusFallback }: InviteAgainProps) {
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useEndpointMutation(inviteColleagueAgain)
  useRoleRefresh(error)
  const going = useFocusFallback(focusFallback)

  async function invite() {
    try {
      const invited = await mutateAsync({ params: { colleagueId: colleague.id } })
      await setCachedColleague(client, invited)
      toastSuccess('Invito inviato di nuovo', {
        about: 'colleague',
        description: `Il link di prima non vale più: ${invited.email} ne riceve uno nuovo.`,
      })
    } catch (reason) {
      toastError(errorMessage(reason), { about: 'colleague' })
      // The colleague may have joined or been removed meanwhile.
      void invalidateColleagues(client)
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
