import { Role } from '@bancone/contract/access'
import { type Colleague, inviteColleague } from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { readDraft, saveDraft } from '../../lib/drafts.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastError } from '../../ui/toast.ts'
import { fieldMessage, trimmed } from './colleague-fields.ts'
import { NameField } from './name-field.tsx'
import { RoleChoice } from './role-choice.tsx'

type InviteSheetProps = {
  onInvited: (colleague: Colleague) => void
  onClose: () => void
  onReturnFocus: () => void
}

/** The sheet with the invitation form. */
export function InviteSheet({ onInvited, onClose, onReturnFocus }: InviteSheetProps) {
  const form = useId()
  const [busy, setBusy] = useState(false)
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])

  return (
    <Sheet
      title="Invita un collega"
      closeLabel="Chiudi la finestra"
      footer={
        <>
          <Button className="flex-1" onClick={onClose}>
            Chiudi
          </Button>
          <Button type="submit" form={form} look="primary" className="flex-1" inactive={busy}>
            {busy ? 'Invio in corso…' : 'Invia invito'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <InvitationForm
        id={form}
        onBusy={setBusy}
        onInvited={(colleague) => {
          onInvited(colleague)
          if (open.current) onClose()
        }}
        onFailed={() => {
          // While the sheet is open, the form shows the error.
          if (open.current) return
          toastError("L'invito non è stato inviato", {
            about: 'colleague',
            description: 'I dati sono ancora in «Invita un collega».',
          })
        }}
      />
    </Sheet>
  )
}

type InvitationFormProps = {
  id: string
  onBusy: (busy: boolean) => void
  onInvited: (colleague: Colleague) => void
  onFailed: () => void
}

/** Invites a colleague. The input stays until the invitation is sent. */
function InvitationForm({ id, onBusy, onInvited, onFailed }: InvitationFormProps) {
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
      if (hasCode(reason, 'colleagues.address_taken'))
        setError('email', { message: text }, { shouldFocus: true })
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

const NAME = 'colleague'

const Text = z.catch(z.string(), '')

/** The form as typed, valid or not. */
const InvitationDraft = z.object({ name: Text, email: Text, role: z.catch(Role, 'staff') })
type InvitationDraft = z.infer<typeof InvitationDraft>

/** The least privileged role, so that no one gets too many permissions by mistake. */
const empty: InvitationDraft = { name: '', email: '', role: 'staff' }

/** The unsent invitation of this tab. */
function readInvitation(): InvitationDraft {
  try {
    return InvitationDraft.parse(JSON.parse(readDraft(NAME)))
  } catch {
    return empty
  }
}

function saveInvitation(draft: InvitationDraft) {
  saveDraft(NAME, JSON.stringify(draft))
}

function clearInvitation() {
  saveDraft(NAME, '')
}
