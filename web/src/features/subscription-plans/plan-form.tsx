import { Feature } from '@bancone/contract/access'
import { featureNames } from '@bancone/contract/feature-names'
import {
  DEFAULT_MAX_OFFERS,
  defaultFeatures,
  PlanFields,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { CheckList } from '../../ui/check-list.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { NumberLimitField } from '../../ui/number-limit-field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldMessage } from './plan-texts.ts'

const MAX_DESCRIPTION = 1_000

const options = Feature.options.map((value) => ({ value, label: featureNames[value] }))

function valuesOf(
  plan: SubscriptionPlan | null,
  newMaxOffers: number | null,
): z.input<typeof PlanFields> {
  return {
    name: plan?.name ?? '',
    description: plan?.description ?? '',
    max_offers: plan ? plan.max_offers : newMaxOffers,
    price: plan?.price ?? 0,
    features: [...(plan?.features ?? defaultFeatures)],
  }
}

type PlanFormProps = {
  id: string
  /** Null for a new plan. */
  plan: SubscriptionPlan | null
  /** The limit of offers of a new plan; null for any number. */
  newMaxOffers: number | null
  /** @throws when saving has failed */
  onSave: (fields: PlanFields) => Promise<void>
  onUnsaved: (unsaved: boolean) => void
}

export function PlanForm({ id, plan, newMaxOffers, onSave, onUnsaved }: PlanFormProps) {
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(PlanFields, { error: fieldMessage }),
    defaultValues: valuesOf(plan, newMaxOffers),
  })
  const { control, setFocus, setError } = form
  const { errors, isDirty } = form.formState
  const description = useWatch({ control, name: 'description' })
  useEffect(() => setFocus('name'), [setFocus])
  useEffect(() => onUnsaved(isDirty), [onUnsaved, isDirty])

  const submit = form.handleSubmit(async (fields) => {
    clearFailure()
    try {
      await onSave(fields)
    } catch (reason) {
      const text = errorMessage(reason)
      const isTaken = hasCode(reason, 'plans.name_taken')
      if (isTaken) setError('name', { message: text }, { shouldFocus: true })
      else fail(`Errore durante il salvataggio del piano di abbonamento. ${text}`)
    }
  })

  return (
    <form id={id} noValidate autoComplete="off" onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <TextField
        label="Nome"
        autoComplete="off"
        required
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextArea
        label="Descrizione"
        value={description ?? ''}
        maxCharacters={MAX_DESCRIPTION}
        error={errors.description?.message}
        {...form.register('description')}
      />
      <Controller
        control={control}
        name="max_offers"
        render={({ field, fieldState }) => (
          <NumberLimitField
            label="Numero massimo di offerte"
            unlimited="Illimitate"
            initial={DEFAULT_MAX_OFFERS}
            hint="Quante offerte una farmacia può tenere attive insieme."
            error={fieldState.error?.message}
            {...field}
          />
        )}
      />
      <Controller
        control={control}
        name="price"
        render={({ field, fieldState }) => (
          <NumberField label="Prezzo (€)" decimals error={fieldState.error?.message} {...field} />
        )}
      />
      <Controller
        control={control}
        name="features"
        render={({ field }) => (
          <CheckList
            label="Funzionalità"
            options={options}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </form>
  )
}
