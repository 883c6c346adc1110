import { type PlatformSettings, SupportContact } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { formFields } from '../../lib/form-fields.ts'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage, PlatformSettingForm, useSettingSave } from './platform-setting-form.tsx'

/** How pharmacies reach the support. */
export function SupportContactForm({ loaded }: { loaded: PlatformSettings['support'] }) {
  const { save, ...saving } = useSettingSave('support', loaded)
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(SupportContact, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  const field = formFields({ register, formState })
  return (
    <PlatformSettingForm
      title="Contatto di assistenza"
      intro="Compare in fondo a ogni pagina delle farmacie. I campi vuoti non si vedono."
      saved={loaded}
      submit="Salva il contatto"
      {...saving}
      unsaved={formState.isDirty}
      onSubmit={handleSubmit((value) =>
        save(value, 'Contatto di assistenza salvato', () => reset(value)),
      )}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Email" type="email" autoComplete="off" {...field('email')} />
        <TextField label="Telefono" type="tel" autoComplete="off" {...field('phone')} />
        <TextField label="WhatsApp" type="tel" autoComplete="off" {...field('whatsapp')} />
        <TextField
          label="Orari"
          autoComplete="off"
          hint="Per esempio: lun–ven 9–18."
          {...field('hours')}
        />
      </div>
    </PlatformSettingForm>
  )
}
