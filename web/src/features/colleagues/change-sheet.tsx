import { type Colleague, changeColleague } from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
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
  // `count` differs each time, so that screen readers announce the same text again.
  const [failed, setFailed] = useState({ text: '', count: 0 })
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
      else setFailed(({ count }) => ({ text, count: count + 1 }))
    }
  })

  return (
    <form id={id} noValidate autoComplete="off" onSubmit={submit} className="flex flex-col gap-4">
      {failed.text ? (
        <Alert key={failed.count} tone="error">
          {failed.text}
        </Alert>
      ) : null}
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
