import { removeProductImage } from '@bancone/contract/product-images'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { hasCode } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'

const NOT_FOUND = 'not-found'

function errorText(type: string | undefined): string | undefined {
  if (type === undefined) return undefined
  return type === NOT_FOUND
    ? "Nell'archivio non c'è un'immagine con questo codice."
    : 'Inserisci un codice valido.'
}

/** Removes the picture of a product from the archive of all pharmacies. */
export function RemovePictureDialog({ onClose, onReturnFocus }: ModalProps) {
  const { mutateAsync } = useEndpointMutation(removeProductImage)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(removeProductImage.params),
    defaultValues: { minsan: '' },
  })
  const busy = form.formState.isSubmitting

  const submit = form.handleSubmit(async (params) => {
    clearFailure()
    try {
      await mutateAsync({ params })
      toastSuccess("Immagine tolta dall'archivio")
      onClose()
    } catch (error) {
      if (hasCode(error, 'product_images.not_found')) {
        form.setError('minsan', { type: NOT_FOUND }, { shouldFocus: true })
      } else fail(errorMessage(error))
    }
  })

  return (
    <FormDialog
      title="Togli un'immagine dall'archivio"
      text="Vale per tutte le farmacie. Le offerte che la mostrano la tengono; chi cerca di nuovo il codice riceve l'immagine che il fornitore ha adesso."
      confirm="Togli"
      confirming="In corso…"
      look="danger"
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <TextField
        label="Codice del prodotto (Minsan)"
        inputMode="numeric"
        autoComplete="off"
        required
        error={errorText(form.formState.errors.minsan?.type)}
        {...form.register('minsan')}
      />
    </FormDialog>
  )
}
