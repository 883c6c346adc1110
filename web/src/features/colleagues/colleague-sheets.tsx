import { Role } from '@bancone/contract/access'
import {
  COLLEAGUE_NAME_LENGTH,
  type Colleague,
  changeColleague,
  inviteColleague,
} from '@bancone/contract/colleagues'
import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentProps, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { readFormDraft, saveDraft } from '../../lib/drafts.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { fieldTexts } from '../../lib/field-texts.ts'
import { formFields } from '../../lib/form-fields.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastError } from '../../ui/toast.ts'
import { roleOptions } from './colleague-texts.ts'

const error = fieldTexts({
  name: {
    too_big: `Al massimo ${COLLEAGUE_NAME_LENGTH} caratteri.`,
    other: 'Scrivi nome e cognome.',
  },
  email: {
    too_big: "L'indirizzo è troppo lungo.",
    empty: "Scrivi l'indirizzo email.",
    other: "Controlla l'indirizzo email: non è completo.",
  },
})

/** Options for `register`: trims the text. */
const trimmed = { setValueAs: (text: string) => text.trim() }

function NameField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>) {
  return (
    <TextField
      label="Nome e cognome"
      autoComplete="off"
      autoCapitalize="words"
      required
      hint="Compare nella cronologia degli ordini e nelle note."
      {...props}
    />
  )
}

const DRAFT = 'colleague'

const Text = z.catch(z.string(), '')

/** The form as typed, valid or not. At first it has the least privileged role, so that no one gets too many permissions by mistake. */
const InvitationDraft = z.object({ name: Text, email: Text, role: z.catch(Role, 'staff') })

type InviteSheetProps = ModalProps & { onInvited: (colleague: Colleague) => void }

/** Invites a colleague. The input stays until the invitation is sent. */
export function InviteSheet({ onInvited, ...modal }: InviteSheetProps) {
  const { mutateAsync } = useEndpointMutation(inviteColleague)
  const { failure, fail } = useFailure()
  /** The unsent invitation of this tab. */
  const [draft] = useState(() => readFormDraft(DRAFT, InvitationDraft) ?? InvitationDraft.parse({}))
  const form = useForm({
    resolver: zodResolver(inviteColleague.body, { error }),
    defaultValues: draft,
  })
  const { setError, subscribe } = form
  const field = formFields(form)
  const isOpen = useIsMounted()
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => saveDraft(DRAFT, JSON.stringify(values)),
      }),
    [subscribe],
  )

  const submit = form.handleSubmit(async (body) => {
    try {
      const colleague = await mutateAsync({ body })
      saveDraft(DRAFT, '')
      onInvited(colleague)
      if (isOpen()) modal.onClose()
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
      busy={form.formState.isSubmitting}
      failure={failure}
      other={{ label: 'Chiudi' }}
      onSubmit={submit}
      {...modal}
    >
      <NameField {...field('name', trimmed)} />
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        spellCheck={false}
        required
        hint="Riceve un link per scegliere la propria password."
        {...field('email', trimmed)}
      />
      <RadioCards legend="Ruolo" options={roleOptions} {...form.register('role')} />
    </FormSheet>
  )
}

type ChangeSheetProps = ModalProps & {
  colleague: Colleague
  onChanged: (colleague: Colleague) => void
  onFailed: () => void
}

/** Edits name and role of a colleague. */
export function ChangeSheet({ colleague, onChanged, onFailed, ...modal }: ChangeSheetProps) {
  const { id, name, role } = colleague
  const { mutateAsync } = useEndpointMutation(changeColleague)
  const { failure, fail } = useFailure()
  const form = useForm({
    resolver: zodResolver(z.required(changeColleague.body), { error }),
    defaultValues: { name, role },
  })

  const submit = form.handleSubmit(async (wanted) => {
    // Only the fields changed here: the others may have been changed elsewhere meanwhile.
    const body = {
      ...(wanted.name === name ? {} : { name: wanted.name }),
      ...(wanted.role === role ? {} : { role: wanted.role }),
    }
    try {
      if (Object.keys(body).length > 0) {
        onChanged(await mutateAsync({ params: { colleagueId: id }, body }))
      }
      modal.onClose()
    } catch (reason) {
      onFailed()
      const text = errorMessage(reason)
      if (hasCode(reason, 'colleagues.name_is_own'))
        form.setError('name', { message: text }, { shouldFocus: true })
      else fail(text)
    }
  })

  return (
    <FormSheet
      title={`Modifica ${name}`}
      busy={form.formState.isSubmitting}
      failure={failure}
      onSubmit={submit}
      {...modal}
    >
      <NameField {...formFields(form)('name', trimmed)} />
      <RadioCards legend="Ruolo" options={roleOptions} {...form.register('role')} />
      <p className="text-sm text-pretty text-muted">Un ruolo nuovo vale subito.</p>
    </FormSheet>
  )
}
