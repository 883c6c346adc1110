import { type Colleague, changeColleague } from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { fieldMessage, trimmed } from './colleague-fields.ts'
import { NameField } from './name-field.tsx'
import { RoleChoice } from './role-choice.tsx'

type Changes = { name?: string; role?: Colleague['role'] }

type ChangeFormProps = {
  id: string
  colleague: Colleague
  /** @throws when the change has failed */
  onSave: (changes: Changes) => Promise<void>
}

function isOfName(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'colleagues.name_is_own'
}

function ChangeForm({ id, colleague: { name, role }, onSave }: ChangeFormProps) {
  const { failure, fail } = useFailure()
  const form = useForm({
    resolver: zodResolver(changeColleague.body.required(), { error: fieldMessage }),
    defaultValues: { name, role },
  })
  const { setFocus, setError } = form
  useEffect(() => setFocus('name'), [setFocus])

  const submit = form.handleSubmit(async (wanted) => {
    // Only the fields changed here: the others may have been changed elsewhere meanwhile.
    const changes = {
      ...(wanted.name === name ? {} : { name: wanted.name }),
      ...(wanted.role === role ? {} : { role: wanted.role }),
    }
    try {
      await onSave(changes)
    } catch (reason) {
      const text = errorMessage(reason)
      if (isOfName(reason)) setError('name', { message: text }, { shouldFocus: true })
      else fail(text)
    }
  })

  return (
    <form id={id} noValidate autoComplete="off" onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <NameField error={form.formState.errors.name?.message} {...form.register('name', trimmed)} />
      <RoleChoice {...form.register('role')} />
      <p className="text-sm text-pretty text-muted">Un ruolo nuovo vale subito.</p>
    </form>
  )
}

type ChangeSheetProps = {
  colleague: Colleague
  onChanged: (colleague: Colleague) => void
  onFailed: () => void
  onClose: () => void
  onReturnFocus: () => void
}

/** Edits name and role of a colleague. */
export function ChangeSheet(props: ChangeSheetProps) {
  const { colleague, onChanged, onFailed, onClose, onReturnFocus } = props
  const form = useId()
  const { mutateAsync, isPending, error } = useEndpointMutation(changeColleague)
  useRoleRefresh(error)

  async function save(body: Changes) {
    if (Object.keys(body).length > 0) {
      try {
        onChanged(await mutateAsync({ params: { colleagueId: colleague.id }, body }))
      } catch (reason) {
        onFailed()
        throw reason
      }
    }
    onClose()
  }

  return (
    <Sheet
      title={`Modifica ${colleague.name}`}
      closeLabel="Chiudi la finestra"
      footer={
        <>
          <Button className="flex-1" onClick={onClose}>
            Annulla
          </Button>
          <Button type="submit" form={form} look="primary" className="flex-1" inactive={isPending}>
            {isPending ? 'Salvataggio in corso…' : 'Salva'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <ChangeForm id={form} colleague={colleague} onSave={save} />
    </Sheet>
  )
}
