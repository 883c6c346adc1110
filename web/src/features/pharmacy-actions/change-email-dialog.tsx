import {
  changePharmacyEmail,
  getPharmacyAccount,
  type PharmacyAccount,
} from '@bancone/contract/pharmacy-actions'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { hasCode } from '../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formFields } from '../../lib/form-fields.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type ChangeEmailDialogProps = ModalProps & {
  pharmacyId: string
  account: PharmacyAccount
}

/** Changes the address of the pharmacy's account. */
export function ChangeEmailDialog({
  pharmacyId,
  account,
  onClose,
  onReturnFocus,
}: ChangeEmailDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changePharmacyEmail)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(changePharmacyEmail.body, {
      error: () => 'Inserisci un indirizzo email valido.',
    }),
    defaultValues: { email: '' },
  })
  const busy = form.formState.isSubmitting

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      const changed = await mutateAsync({ params: { pharmacyId }, body })
      // Lists of pharmacies show the address, too.
      await client.invalidateQueries({ queryKey: ['admin'] })
      client.setQueryData(endpointKey(getPharmacyAccount, { params: { pharmacyId } }), changed)
      toastSuccess('Indirizzo email cambiato')
      onClose()
    } catch (error) {
      if (hasCode(error, 'pharmacies.email_taken')) {
        form.setError('email', { message: errorMessage(error) }, { shouldFocus: true })
      } else fail(errorMessage(error))
    }
  })

  return (
    <FormDialog
      title="Cambia indirizzo email"
      text={
        account.hasJoined
          ? `Al posto di ${account.email}. La password resta la stessa. I dispositivi connessi con questo account vengono disconnessi, e avvisiamo il vecchio indirizzo.`
          : `Al posto di ${account.email}, che non ha ancora accettato l'invito. Ne mandiamo uno al nuovo indirizzo.`
      }
      confirm="Cambia indirizzo"
      confirming="Salvataggio in corso…"
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <TextField
        label="Nuovo indirizzo email"
        type="email"
        autoComplete="off"
        required
        {...formFields(form)('email')}
      />
    </FormDialog>
  )
}
