import {
  MAX_NOTICE_LENGTH,
  type NoticeSeverity,
  PlatformNotice,
  type PlatformSettings,
} from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { formFields } from '../../lib/form-fields.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage, PlatformSettingForm, useSettingSave } from './platform-setting-form.tsx'

const severities: Record<NoticeSeverity, string> = {
  info: 'Informazione',
  warning: 'Attenzione',
  critical: 'Urgente',
}

const noNotice: PlatformNotice = { text: '', severity: 'info', from: '', until: '' }

/** A notice to all pharmacies. */
export function NoticeForm({ loaded }: { loaded: PlatformSettings['notice'] }) {
  const { save, ...saving } = useSettingSave('notice', loaded)
  const { register, handleSubmit, formState, control, reset } = useForm({
    resolver: zodResolver(PlatformNotice, { error: fieldMessage }),
    defaultValues: loaded.value ?? noNotice,
  })
  const text = useWatch({ control, name: 'text' })
  const field = formFields({ register, formState })

  return (
    <PlatformSettingForm
      title="Avviso a tutte le farmacie"
      intro="Compare in fondo alle pagine di ogni farmacia, anche a chi ha già la pagina aperta. Ogni persona può chiuderlo; un avviso modificato ricompare."
      saved={loaded}
      submit="Pubblica l'avviso"
      actions={
        loaded.value === null ? null : (
          <Button
            inactive={saving.busy}
            onClick={() => void save(null, 'Avviso tolto', () => reset(noNotice))}
          >
            Togli l'avviso
          </Button>
        )
      }
      {...saving}
      unsaved={formState.isDirty}
      onSubmit={handleSubmit((value) => save(value, 'Avviso pubblicato', () => reset(value)))}
    >
      <TextArea label="Testo" maxCharacters={MAX_NOTICE_LENGTH} {...field('text')} value={text} />
      <div className="grid gap-4 md:grid-cols-3">
        <SelectField label="Importanza" {...register('severity')}>
          {Object.entries(severities).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField label="Dal" type="datetime-local" hint="Ora italiana." {...field('from')} />
        <TextField label="Al" type="datetime-local" hint="Ora italiana." {...field('until')} />
      </div>
    </PlatformSettingForm>
  )
}
