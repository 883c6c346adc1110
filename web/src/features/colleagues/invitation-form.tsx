import { type Colleague, inviteColleague } from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage, trimmed } from './colleague-fields.ts'
import { clearInvitation, readInvitation, saveInvitation } from './invitation-draft.ts'
import { NameField } from './name-field.tsx'
import { RoleChoice } from './role-choice.tsx'

type InvitationFormProps = {
  id: string
  onBusy: (busy: boolean) => void
  onInvited: (colleague: Colleague) => void
  onFailed: () => void
}

function isOfAddress(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'colleagues.address_taken'
}

/** Invites a colleague. The input stays until the invitation is sent. */
export function InvitationForm({ id, onBusy, onInvited, onFailed }: InvitationFormProps) {
  const { mutateAsync, error } = useEndpointMutation(inviteColleague)
  useRoleRefresh(error)
  const { failure, fail } = useFailure()
  const [draft] = useState(readInvitation)
  const form = useForm({
    resolver: zodResolver(inviteColleague.body, { error: fieldMessage }),
    defaultValues: draft,
  })
  const { setFocus, setError, subscribe } = form
  const { errors } = form.formState

  useEffect(() => setFocus('name'), [setFocus])
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => saveInvitation(values),
      }),
    [subscribe],
  )

  const submit = form.handleSubmit(async (body) => {
    onBusy(true)
    try {
      const colleague = await mutateAsync({ body })
      clearInvitation()
      onInvited(colleague)
    } catch (reason) {
      const text = errorMessage(reason)
      if (isOfAddress(reason)) setError('email', { message: text }, { shouldFocus: true })
      else fail(text)
      onFailed()
    } finally {
      onBusy(false)
    }
  })

  return (
    <form id={id} noValidate autoComplete="off" onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <NameField error={errors.name?.message} {...form.register('name', trimmed)} />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint="Riceve un link per scegliere la propria password."
        error={errors.email?.message}
        {...form.register('email', trimmed)}
      />
      <RoleChoice {...form.register('role')} />
    </form>
  )
}
