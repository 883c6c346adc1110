import { type PlatformSettings, Retention } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage } from './field-message.ts'
import { SettingForm } from './setting-form.tsx'
import { useSettingSave } from './use-setting-save.ts'

/** For how long data is kept. */
export function RetentionForm({ loaded }: { loaded: PlatformSettings['retention'] }) {
  const { save, ...saving } = useSettingSave('retention', loaded)
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(Retention, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  const { errors } = formState
  return (
    <SettingForm
      title="Conservazione dei dati"
      intro="Ogni notte si elimina ciò che è più vecchio. Una durata più breve cancella dalla notte stessa, e non si può annullare."
      saved={loaded}
      submit="Salva le durate"
      saving={saving}
      unsaved={formState.isDirty}
      onSubmit={handleSubmit((value) => save(value, 'Durate salvate', () => reset(value)))}
    >
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
      <p className="text-sm text-muted">Il registro delle operazioni si conserva sempre 24 mesi.</p>
    </SettingForm>
  )
}
