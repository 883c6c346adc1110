import { type AdminCategory, removeCategory } from '@bancone/contract/product-categories'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { removalFailure } from './category-texts.ts'
import { invalidateCategories } from './use-categories.ts'

type DeleteCategoryDialogProps = {
  category: AdminCategory
  onClose: () => void
  onReturnFocus: () => void
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'categories.not_found'
}

/** Deletes a category. */
export function DeleteCategoryDialog(props: DeleteCategoryDialogProps) {
  const { category, onClose, onReturnFocus } = props
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeCategory)

  async function remove() {
    try {
      await mutateAsync({ params: { categoryId: category.id } })
    } catch (reason) {
      // The category has been deleted elsewhere already.
      if (!isGone(reason)) throw reason
    }
    await invalidateCategories(client)
    toastSuccess('Categoria eliminata', { description: category.name })
  }

  return (
    <ConfirmDialog
      title={`Eliminare la categoria «${category.name}»?`}
      text="Sei sicuro di voler eliminare questa categoria? Questa azione non può essere annullata."
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={removalFailure}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
