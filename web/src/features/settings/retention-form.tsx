import { type PlatformSettings, Retention } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage } from './field-message.ts'
import { SettingsSection } from './settings-section.tsx'
import { useSettingSave } from './use-setting-save.ts'

/** For how long data is kept. */
export function RetentionForm({ loaded }: { loaded: PlatformSettings['retention'] }) {
  const { busy, failure, save } = useSettingSave('retention', loaded)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(Retention, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  const { errors } = formState
  return (
    <SettingsSection
      title="Conservazione dei dati"
      intro="Ogni notte si elimina ciò che è più vecchio. Una durata più breve cancella dalla notte stessa, e non si può annullare."
      saved={loaded}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={handleSubmit((value) => save(value, 'Durate salvate'))}
      >
        <FailureAlert failure={failure} />
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label="Storia e note degli ordini eliminati (giorni)"
            type="number"
            inputMode="numeric"
            hint="Da 7 a 365."
            error={errors.removedOrderDays?.message}
            {...register('removedOrderDays', { valueAsNumber: true })}
          />
          <TextField
            label="Visite alle pagine delle offerte (giorni)"
            type="number"
            inputMode="numeric"
            hint="Da 30 a 1.095."
            error={errors.visitDays?.message}
            {...register('visitDays', { valueAsNumber: true })}
          />
        </div>
        <p className="text-sm text-muted">
          Il registro delle operazioni si conserva sempre 24 mesi.
        </p>
        <Button type="submit" look="primary" className="self-start" inactive={busy}>
          {busy ? 'Salvataggio in corso…' : 'Salva le durate'}
        </Button>
      </form>
    </SettingsSection>
  )
}
