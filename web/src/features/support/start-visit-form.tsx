import {
  getCurrentVisit,
  startSupportVisit,
  VISIT_MINUTES,
  VisitReason,
} from '@bancone/contract/support-visits'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { TextField } from '../../ui/text-field.tsx'

const Reason = z.object({ reason: VisitReason })

function reasonMessage({ code }: { code?: string | undefined }): string {
  return code === 'too_big' ? 'Al massimo 500 caratteri.' : 'Scrivi almeno 10 caratteri.'
}

/** Asks for the reason of a visit, and starts it. */
export function StartVisitForm({ pharmacyId }: { pharmacyId: string }) {
  const client = useQueryClient()
  const { busy, failure, clearFailure, run } = useAction()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(Reason, { error: reasonMessage }),
    defaultValues: { reason: '' },
  })

  const submit = handleSubmit(async ({ reason }) => {
    clearFailure()
    await run(async () => {
      const visit = await call(startSupportVisit, { body: { pharmacyId, reason } })
      client.setQueryData(endpointKey(getCurrentVisit, {}), { visit })
    })
  })

  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-4">
      <PageTitle>Visualizza come farmacia</PageTitle>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-pretty text-muted marker:text-muted">
        <li>Vedi gli ordini e le offerte della farmacia per {VISIT_MINUTES} minuti.</li>
        <li>Non puoi cambiare nulla.</li>
        <li>Nomi, telefoni, indirizzi, testi e immagini dei clienti sono nascosti.</li>
        <li>La farmacia vede chi ha guardato, quando e perché: scrivi il motivo per lei.</li>
      </ul>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <FailureAlert failure={failure} />
        <TextField
          label="Motivo"
          autoComplete="off"
          required
          hint="Almeno 10 caratteri, senza dati di clienti."
          error={formState.errors.reason?.message}
          {...register('reason')}
        />
        <Button type="submit" look="primary" size="large" className="self-start" inactive={busy}>
          {busy ? 'Apertura in corso…' : 'Inizia la visita'}
        </Button>
      </form>
    </div>
  )
}
