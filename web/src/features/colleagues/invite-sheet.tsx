import { Role } from '@bancone/contract/access'
import { type Colleague, inviteColleague } from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { readFormDraft, saveDraft } from '../../lib/drafts.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastError } from '../../ui/toast.ts'
import { fieldMessage, trimmed } from './colleague-fields.ts'
import { NameField } from './name-field.tsx'
import { RoleChoice } from './role-choice.tsx'

type InviteSheetProps = ModalProps & { onInvited: (colleague: Colleague) => void }

/** Invites a colleague. The input stays until the invitation is sent. */
export function InviteSheet({ onInvited, onClose, onReturnFocus }: InviteSheetProps) {
  const { mutateAsync } = useEndpointMutation(inviteColleague)
  const { failure, fail } = useFailure()
  /** The unsent invitation of this tab. */
  const [draft] = useState(() => readFormDraft(NAME, InvitationDraft) ?? empty)
  const { register, handleSubmit, formState, setError, subscribe } = useForm({
    resolver: zodResolver(inviteColleague.body, { error: fieldMessage }),
    defaultValues: draft,
  })
  const { errors, isSubmitting } = formState
  const isOpen = useIsMounted()
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => saveDraft(NAME, JSON.stringify(values)),
      }),
    [subscribe],
  )

  const submit = handleSubmit(async (body) => {
    try {
      const colleague = await mutateAsync({ body })
      saveDraft(NAME, '')
      onInvited(colleague)
      if (isOpen()) onClose()
    } catch (reason) {
      const text = errorMessage(reason)
      if (hasCode(reason, 'colleagues.address_taken'))
        setError('email', { message: text }, { shouldFocus: true })
      else fail(text)
      // While the sheet is open, the form shows the error.
      if (isOpen()) return
      toastError("L'invito non è stato inviato", {
        about: 'colleague',
        description: 'I dati sono ancora in «Invita un collega».',
      })
    }
  })

  return (
    <FormSheet
      title="Invita un collega"
      confirm="Invia invito"
      confirming="Invio in corso…"
      busy={isSubmitting}
      failure={failure}
      other={{ label: 'Chiudi' }}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <NameField error={errors.name?.message} {...register('name', trimmed)} />
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
        {...register('email', trimmed)}
      />
      <RoleChoice {...register('role')} />
    </FormSheet>
  )
}

const NAME = 'colleague'

const Text = z.catch(z.string(), '')

/** The form as typed, valid or not. */
const InvitationDraft = z.object({ name: Text, email: Text, role: z.catch(Role, 'staff') })
type InvitationDraft = z.infer<typeof InvitationDraft>

/** The least privileged role, so that no one gets too many permissions by mistake. */
const empty: InvitationDraft = { name: '', email: '', role: 'staff' }
