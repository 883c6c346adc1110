import {
  type AirtableAccess,
  getPharmacyAirtable,
  setAirtableToken,
} from '@bancone/contract/airtable'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { accessProblems } from './airtable-texts.ts'

type TokenDialogProps = {
  pharmacyId: string
  /** What is known besides; null for nothing. */
  shared: string | null
  onSaved: (access: AirtableAccess) => void
  onClose: () => void
  onReturnFocus: () => void
}

/** Sets or replaces the token of the pharmacy's base. */
export function TokenDialog({
  pharmacyId,
  shared,
  onSaved,
  onClose,
  onReturnFocus,
}: TokenDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(setAirtableToken)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(setAirtableToken.body, {
      error: () => 'Incolla il token per intero: comincia con «pat».',
    }),
    defaultValues: { token: '' },
  })
  const { setFocus } = form
  const busy = form.formState.isSubmitting
  useEffect(() => setFocus('token'), [setFocus])

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      const { check, airtable } = await mutateAsync({ params: { pharmacyId }, body })
      client.setQueryData(endpointKey(getPharmacyAirtable, { params: { pharmacyId } }), airtable)
      if (check.problem !== null) {
        form.setError('token', { message: accessProblems[check.problem] }, { shouldFocus: true })
        return
      }
      toastSuccess('Token salvato')
      onSaved(check)
      onClose()
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <FormDialog
      title="Token di Airtable"
      text={`Un token di accesso personale con i permessi data.records:read e data.records:write sulla base. Lo proviamo e lo salviamo cifrato: poi non si vede più. I token di uno stesso utente di Airtable si dividono il suo limite di richieste: per averne di più serve il token di un altro utente.${shared === null ? '' : ` ${shared}`}`}
      confirm="Prova e salva"
      confirming="Prova in corso…"
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <PasswordField
        label="Token"
        what="il token"
        autoComplete="off"
        error={form.formState.errors.token?.message}
        {...form.register('token')}
      />
    </FormDialog>
  )
}
