import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Problem } from './account-section.tsx'
import { Presence, provePresence } from './prove-presence.ts'
import { useAction } from './use-action.ts'

type ProveDialogProps = {
  area: Area
  /** What it is asked for, as in 'Per attivarla'. */
  purpose: string
  onProven: () => void
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks for the password before something that a session left open must not be enough for. */
export function ProveDialog({ area, purpose, onProven, ...dialog }: ProveDialogProps) {
  const id = useId()
  const proving = useAction('Non è stato possibile verificare la password. Riprova.')
  const form = useForm({ resolver: zodResolver(Presence), defaultValues: { password: '' } })

  const submit = form.handleSubmit(({ password }) => {
    proving.forget()
    return proving.run(async () => {
      const refusal = await provePresence(area, password)
      if (refusal === null) return onProven()
      form.setError('password', { message: refusal })
      form.setFocus('password', { shouldSelect: true })
    })
  })

  return (
    <Dialog
      title="Conferma che sei tu"
      text={`${purpose} scrivi la tua password: così non può farlo chi trova questo computer incustodito.`}
      footer={
        <>
          <Button onClick={dialog.onClose}>Annulla</Button>
          <Button type="submit" form={id} look="primary" inactive={proving.busy}>
            {proving.busy ? 'Verifica in corso…' : 'Continua'}
          </Button>
        </>
      }
      {...dialog}
    >
      <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-3">
        <Problem of={proving.failure} />
        {/* For password managers: whose password it is. */}
        <input
          hidden
          type="text"
          name="username"
          autoComplete="username"
          value={sessions[area].current()?.email ?? ''}
          readOnly
        />
        <PasswordField
          label="La tua password"
          hint="Non la ricordi? In «Password» puoi cambiarla con un codice ricevuto per email."
          error={form.formState.errors.password?.message}
          {...form.register('password')}
        />
      </form>
    </Dialog>
  )
}
