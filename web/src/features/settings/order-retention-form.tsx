import {
  OrderRetention,
  type PlatformSettings,
  previewOrderRetention,
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
import { fieldMessage } from './field-message.ts'
import { numberOrNull } from './number-or-null.ts'
import { PlatformSettingForm } from './platform-setting-form.tsx'
import { useSettingSave } from './use-setting-save.ts'

type Asked = { value: OrderRetention; text: string }

/** For how long orders keep the data of their customers. Says how many orders lose them in the next night. */
export function OrderRetentionForm({ loaded }: { loaded: PlatformSettings['order_retention'] }) {
  const { save, ...saving } = useSettingSave('order_retention', loaded)
  const [asked, setAsked] = useState<Asked | null>(null)
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
