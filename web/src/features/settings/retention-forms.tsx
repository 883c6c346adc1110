import {
  OrderRetention,
  type PlatformSettings,
  previewOrderRetention,
  Retention,
} from '@bancone/contract/settings'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { formFields } from '../../lib/form-fields.ts'
import {
  retentionExceptions,
  retentionIntro,
  retentionLoss,
} from '../../lib/order-retention-texts.ts'
import { useAction } from '../../lib/use-action.ts'
import { TextField } from '../../ui/text-field.tsx'
import {
  fieldMessage,
  numberOrNull,
  PlatformSettingForm,
  useSettingSave,
} from './platform-setting-form.tsx'

/** A shorter time that has to be confirmed. */
type Asked<Value> = { value: Value; text: string }

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
  const [asked, setAsked] = useState<Asked<Retention> | null>(null)
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

/** For how long orders keep the data of their customers. Says how many orders lose them in the next night. */
export function OrderRetentionForm({ loaded }: { loaded: PlatformSettings['order_retention'] }) {
  const { save, ...saving } = useSettingSave('order_retention', loaded)
  const [asked, setAsked] = useState<Asked<OrderRetention> | null>(null)
  const preview = useAction()
  const { register, handleSubmit, formState, reset, setFocus } = useForm({
    resolver: zodResolver(OrderRetention, { error: fieldMessage }),
    defaultValues: loaded.value,
  })
  const field = formFields({ register, formState })

  const saved = (value: OrderRetention) => save(value, 'Durata salvata', () => reset(value))

  async function submit(value: OrderRetention) {
    const { orderDays } = value
    preview.clearFailure()
    if (orderDays === null) return saved(value)
    await preview.run(async () => {
      const { orders } = await call(previewOrderRetention, { query: { orderDays } })
      if (orders === 0) await saved(value)
      else setAsked({ value, text: retentionLoss(orderDays, orders) })
    })
  }

  return (
    <PlatformSettingForm
      title="Dati dei clienti negli ordini"
      intro={retentionIntro}
      saved={loaded}
      submit="Salva la durata"
      busy={saving.busy || preview.busy}
      failure={preview.failure ?? saving.failure}
      unsaved={formState.isDirty}
      loss={
        asked && {
          title: 'Eliminare i dati dei clienti?',
          text: asked.text,
          onConfirm: () => saved(asked.value),
          onClose: () => setAsked(null),
          onReturnFocus: () => setFocus('orderDays'),
        }
      }
      onSubmit={handleSubmit(submit)}
    >
      <TextField
        label="Giorni dopo l'ultima modifica"
        inputMode="numeric"
        className="md:max-w-80"
        hint="Da 30 a 730. Vuoto: finché c'è l'ordine."
        {...field('orderDays', { setValueAs: numberOrNull })}
      />
      <p className="text-sm text-muted">
        {retentionExceptions} Gli ordini che sono in Airtable restano come sono: di quelli decide la
        farmacia, in Airtable. Una farmacia può scegliere una durata propria.
      </p>
    </PlatformSettingForm>
  )
}
