import { PlanDefaults, type PlatformSettings } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage } from './field-message.ts'
import { numberOrNull } from './number-or-null.ts'
import { SettingForm } from './setting-form.tsx'
import { useSettingSave } from './use-setting-save.ts'

/** What the form of a new plan begins with. */
export function PlanDefaultsForm({ loaded }: { loaded: PlatformSettings['plan_defaults'] }) {
  const { save, ...saving } = useSettingSave('plan_defaults', loaded)
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(PlanDefaults, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  return (
    <SettingForm
      title="Limiti predefiniti"
      intro="Proposti nei nuovi piani. I piani che ci sono già non cambiano."
      saved={loaded}
      submit="Salva il limite"
      saving={saving}
      unsaved={formState.isDirty}
      onSubmit={handleSubmit((value) => save(value, 'Limite salvato', () => reset(value)))}
    >
      <TextField
        label="Numero massimo di offerte"
        inputMode="numeric"
        className="md:max-w-80"
        hint="Vuoto: nessun limite."
        error={formState.errors.maxOffers?.message}
        {...register('maxOffers', { setValueAs: numberOrNull })}
      />
    </SettingForm>
  )
}
