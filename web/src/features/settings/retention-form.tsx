import { type PlatformSettings, Retention } from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formFields } from '../../lib/form-fields.ts'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage } from './field-message.ts'
import { PlatformSettingForm } from './platform-setting-form.tsx'
import { useSettingSave } from './use-setting-save.ts'

function lossText(value: Retention, before: Retention): string | null {
  const losses = [
    ...(value.removedOrderDays < before.removedOrderDays
      ? [`storia e note degli ordini eliminati da più di ${value.removedOrderDays} giorni`]
      : []),
    ...(value.pageViewDays < before.pageViewDays
      ? [`le visite più vecchie di ${value.pageViewDays} giorni`]
      : []),
  ]
  return losses.length === 0
    ? null
    : `Dalla prossima notte si eliminano ${losses.join(', e ')}, di tutte le farmacie. È definitivo.`
}

/** For how long data is kept. A shorter time asks first. */
export function RetentionForm({ loaded }: { loaded: PlatformSettings['retention'] }) {
  const { save, ...saving } = useSettingSave('retention', loaded)
  const [asked, setAsked] = useState<{ value: Retention; text: string } | null>(null)
  const { register, handleSubmit, formState, reset, setFocus } = useForm({
    resolver: zodResolver(Retention, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  const field = formFields({ register, formState })
  const saved = (value: Retention) => save(value, 'Durate salvate', () => reset(value))

  async function submit(value: Retention) {
    const text = lossText(value, loaded.value)
    if (text === null) await saved(value)
    else setAsked({ value, text })
  }

  return (
    <PlatformSettingForm
      title="Conservazione dei dati"
      intro="Ogni notte si elimina ciò che è più vecchio. Una durata più breve cancella dalla notte stessa, e non si può annullare."
      saved={loaded}
      submit="Salva le durate"
      {...saving}
      unsaved={formState.isDirty}
      loss={
        asked && {
          title: 'Eliminare i dati più vecchi?',
          text: asked.text,
          onConfirm: () => saved(asked.value),
          onClose: () => setAsked(null),
          onReturnFocus: () =>
            setFocus(
              asked.value.removedOrderDays < loaded.value.removedOrderDays
                ? 'removedOrderDays'
                : 'pageViewDays',
            ),
        }
      }
      onSubmit={handleSubmit(submit)}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Storia e note degli ordini eliminati (giorni)"
          type="number"
          inputMode="numeric"
          hint="Da 7 a 365."
          {...field('removedOrderDays', { valueAsNumber: true })}
        />
        <TextField
          label="Visite alle pagine delle offerte (giorni)"
          type="number"
          inputMode="numeric"
          hint="Da 30 a 1.095."
          {...field('pageViewDays', { valueAsNumber: true })}
        />
      </div>
      <p className="text-sm text-muted">Il registro delle operazioni si conserva sempre 24 mesi.</p>
    </PlatformSettingForm>
  )
}
