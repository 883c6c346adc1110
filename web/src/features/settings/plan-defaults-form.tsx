import { PlanDefaults, type PlatformSettings } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage } from './field-message.ts'
import { SettingsSection } from './settings-section.tsx'
import { useSettingSave } from './use-setting-save.ts'

/** What the form of a new plan begins with. */
export function PlanDefaultsForm({ loaded }: { loaded: PlatformSettings['plan_defaults'] }) {
  const { busy, failure, save } = useSettingSave('plan_defaults', loaded)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(PlanDefaults, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  return (
    <SettingsSection
      title="Limiti predefiniti"
      intro="Proposti nei nuovi piani. I piani che ci sono già non cambiano."
      saved={loaded}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={handleSubmit((value) => save(value, 'Limite salvato'))}
      >
        <FailureAlert failure={failure} />
        <TextField
          label="Numero massimo di offerte"
          type="number"
          inputMode="numeric"
          min={0}
          className="md:max-w-80"
          hint="Vuoto: nessun limite."
          error={formState.errors.maxOffers?.message}
          {...register('maxOffers', {
            setValueAs: (text: unknown) => (text === '' || text === null ? null : Number(text)),
          })}
        />
        <Button type="submit" look="primary" className="self-start" inactive={busy}>
          {busy ? 'Salvataggio in corso…' : 'Salva il limite'}
        </Button>
      </form>
    </SettingsSection>
  )
}
