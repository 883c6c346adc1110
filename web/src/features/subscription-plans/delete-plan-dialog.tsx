import { removeSubscriptionPlan, type SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { removalFailure } from './plan-texts.ts'
import { invalidatePlans } from './use-plans.ts'

type DeletePlanDialogProps = {
  plan: SubscriptionPlan
  onClose: () => void
  onReturnFocus: () => void
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'plans.not_found'
}

/** Deletes a plan. */
export function DeletePlanDialog({ plan, onClose, onReturnFocus }: DeletePlanDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeSubscriptionPlan)

  async function remove() {
    try {
      await mutateAsync({ params: { planId: plan.id } })
    } catch (reason) {
      // The plan has been deleted elsewhere already.
      if (!isGone(reason)) throw reason
    }
    await invalidatePlans(client)
    toastSuccess('Piano eliminato', { description: plan.name })
  }

  return (
    <ConfirmDialog
      title={`Eliminare il piano «${plan.name}»?`}
      text="Sei sicuro di voler eliminare questo piano? Questa azione non può essere annullata."
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={removalFailure}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
