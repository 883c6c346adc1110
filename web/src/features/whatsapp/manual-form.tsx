import {
  connectWhatsAppManually,
  getWhatsApp,
  WHATSAPP_TIME_LIMIT_MS,
} from '@bancone/contract/whatsapp'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { updateCached } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

function fieldMessage({ path }: { path?: PropertyKey[] | undefined }): string {
  return path?.[0] === 'token'
    ? 'Incolla il token intero, senza spazi.'
    : "Scrivi l'id, fatto solo di cifre."
}

/** Connects with the token of a system user, for as long as the login is not open to the application. */
export function ManualForm({ onConnected }: { onConnected: (account: string) => void }) {
  const client = useQueryClient()
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(connectWhatsAppManually.body, { error: fieldMessage }),
    defaultValues: { token: '', wabaId: '', phoneNumberId: '' },
  })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      // Bypasses the cache: the token must not be stored.
      const { connection } = await call(
        connectWhatsAppManually,
        { body },
        { timeoutMs: WHATSAPP_TIME_LIMIT_MS },
      )
      await updateCached(client, getWhatsApp, (before) => ({ ...before, connection }))
      onConnected(connection.accountName ?? body.wabaId)
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <details className="group border-t border-line pt-2">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control text-sm font-medium text-muted hover:text-ink">
        Collega a mano
      </summary>
      <form noValidate onSubmit={submit} className="mt-2 flex flex-col gap-4">
        <p className="text-sm text-pretty text-muted">
          Con il token di un utente di sistema di Meta, se l'accesso con Facebook non è disponibile.
          Li trovi in Gestione attività e in Gestione WhatsApp.
        </p>
        <FailureAlert failure={failure} />
        <PasswordField
          label="Token"
          what="il token"
          autoComplete="off"
          error={errors.token?.message}
          {...form.register('token')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Id dell'account WhatsApp Business"
            inputMode="numeric"
            autoComplete="off"
            error={errors.wabaId?.message}
            {...form.register('wabaId')}
          />
          <TextField
            label="Id del numero"
            inputMode="numeric"
            autoComplete="off"
            error={errors.phoneNumberId?.message}
            {...form.register('phoneNumberId')}
          />
        </div>
        <Button type="submit" className="self-start max-sm:w-full" inactive={isSubmitting}>
          {isSubmitting ? 'Connessione in corso…' : 'Collega con il token'}
        </Button>
      </form>
    </details>
  )
}
