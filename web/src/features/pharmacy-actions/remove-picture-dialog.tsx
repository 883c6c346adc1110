import { removeProductImage } from '@bancone/contract/product-images'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type RemovePictureDialogProps = { onClose: () => void; onReturnFocus: () => void }

const NOT_FOUND = 'not-found'

function errorText(type: string | undefined): string | undefined {
  if (type === undefined) return undefined
  return type === NOT_FOUND
    ? "Nell'archivio non c'è un'immagine con questo codice."
    : 'Inserisci un codice valido.'
}

/** Removes the picture of a product from the archive of all pharmacies. */
export function RemovePictureDialog({ onClose, onReturnFocus }: RemovePictureDialogProps) {
  const id = useId()
  const { mutateAsync } = useEndpointMutation(removeProductImage)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(removeProductImage.params),
    defaultValues: { minsan: '' },
  })
  const { setFocus } = form
  const busy = form.formState.isSubmitting
  useEffect(() => setFocus('minsan'), [setFocus])

  const submit = form.handleSubmit(async (params) => {
    clearFailure()
    try {
      await mutateAsync({ params })
      toastSuccess("Immagine tolta dall'archivio")
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'product_images.not_found') {
        form.setError('minsan', { type: NOT_FOUND }, { shouldFocus: true })
      } else fail(errorMessage(error))
    }
  })

  return (
    <Dialog
      title="Togli un'immagine dall'archivio"
      text="Vale per tutte le farmacie. Le offerte che la mostrano la tengono; chi cerca di nuovo il codice riceve l'immagine che il fornitore ha adesso."
      footer={
        <>
          <Button inactive={busy} onClick={onClose}>
            Annulla
          </Button>
          <Button type="submit" form={id} look="danger" inactive={busy}>
            {busy ? 'In corso…' : 'Togli'}
          </Button>
        </>
      }
      onClose={busy ? () => undefined : onClose}
      onReturnFocus={onReturnFocus}
    >
      <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-3">
        <FailureAlert failure={failure} />
        <TextField
          label="Codice del prodotto (Minsan)"
          inputMode="numeric"
          autoComplete="off"
          required
          error={errorText(form.formState.errors.minsan?.type)}
          {...form.register('minsan')}
        />
      </form>
    </Dialog>
  )
}
