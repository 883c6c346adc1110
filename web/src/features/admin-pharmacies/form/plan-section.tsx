import { Feature } from '@bancone/contract/access'
import { featureNames } from '@bancone/contract/feature-names'
import { paths } from '@bancone/contract/pages'
import { DEFAULT_MAX_OFFERS, type SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { type RefObject, useRef } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { formFields } from '../../../lib/form-fields.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckList } from '../../../ui/check-list.tsx'
import { NumberLimitField } from '../../../ui/number-limit-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { limitText } from '../pharmacy-parts.tsx'
import { FormSection } from './form-section.tsx'
import { grantsOf, type PharmacyDraft } from './pharmacy-draft.ts'

const DIFFERENT = 'diverso dal piano'

type RestoreButtonProps = {
  /** What is restored. */
  what: string
  onRestore: () => void
  /** Gets the focus: the button disappears with what it restores. */
  focusFallback: RefObject<HTMLElement | null>
}

function RestoreButton({ what, onRestore, focusFallback }: RestoreButtonProps) {
  const going = useFocusFallback(focusFallback)
  return (
    <div ref={going}>
      <Button look="quiet" size="small" aria-label={`Ripristina: ${what}`} onClick={onRestore}>
        Ripristina
      </Button>
    </div>
  )
}

function toggled(features: readonly Feature[], feature: Feature): Feature[] {
  return Feature.options.filter((one) => features.includes(one) !== (one === feature))
}

/** The plan of the pharmacy, and what it has of its own instead. */
export function PlanSection({ plans }: { plans: readonly SubscriptionPlan[] }) {
  const form = useFormContext<PharmacyDraft>()
  const { control, formState, setValue } = form
  const fieldProps = formFields(form)
  const heading = useRef<HTMLHeadingElement>(null)
  const [planId, features, maxOffers] = useWatch({
    control,
    name: ['subscription_plan_id', 'features_enabled', 'max_offers'],
  })
  const plan = plans.find(({ id }) => id === planId)
  const isOwn = (feature: Feature) =>
    plan !== undefined && plan.features.includes(feature) !== features.includes(feature)

  function copyPlan(id: string) {
    const grants = grantsOf(plans.find((one) => one.id === id))
    setValue('max_offers', grants.max_offers, { shouldValidate: formState.isSubmitted })
    setValue('features_enabled', grants.features_enabled)
  }

  return (
    <FormSection title="Abbonamento e funzionalità" heading={heading}>
      {plans.length === 0 ? (
        <Alert
          tone="notice"
          action={
            <Link to={paths.adminPlans} className="font-medium underline underline-offset-4">
              Vai ai piani
            </Link>
          }
        >
          Nessun piano di abbonamento disponibile. Configura prima i piani.
        </Alert>
      ) : null}
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField
          label="Piano di abbonamento"
          required
          hint="Quello che cambi nel piano vale subito anche qui, tranne dove la farmacia è diversa dal piano."
          {...fieldProps('subscription_plan_id', {
            onChange: (event: { target: { value: string } }) => copyPlan(event.target.value),
          })}
        >
          <option value="">Seleziona un piano</option>
          {plans.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Valido fino al"
          type="date"
          hint="Vuoto: senza scadenza. Dopo questo giorno le funzionalità restano per altri 14."
          {...fieldProps('plan_valid_until')}
        />
      </div>
      <Controller
        control={control}
        name="is_active"
        render={({ field }) => (
          <Switch
            label="Farmacia attiva"
            hint="Una farmacia non attiva non può accedere al sistema."
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <CheckList
          label="Funzionalità"
          options={Feature.options.map((feature) => ({
            value: feature,
            label: featureNames[feature],
            note: isOwn(feature) ? DIFFERENT : undefined,
            action: isOwn(feature) ? (
              <RestoreButton
                what={featureNames[feature]}
                focusFallback={heading}
                onRestore={() => setValue('features_enabled', toggled(features, feature))}
              />
            ) : undefined,
          }))}
          value={features}
          onChange={(value) => setValue('features_enabled', value)}
        />
        <div className="flex flex-col gap-1">
          <Controller
            control={control}
            name="max_offers"
            render={({ field, fieldState }) => (
              <NumberLimitField
                label="Numero massimo di offerte"
                unlimited="Illimitate"
                initial={DEFAULT_MAX_OFFERS}
                hint="Quante offerte può tenere attive insieme."
                error={fieldState.error?.message}
                {...field}
                onText={field.onChange}
              />
            )}
          />
          {plan && plan.max_offers !== maxOffers ? (
            <div className="flex flex-wrap items-center gap-x-2 text-sm text-pending">
              {DIFFERENT} ({limitText(plan.max_offers)})
              <RestoreButton
                what="Numero massimo di offerte"
                focusFallback={heading}
                onRestore={() =>
                  setValue('max_offers', plan.max_offers, { shouldValidate: formState.isSubmitted })
                }
              />
            </div>
          ) : null}
        </div>
      </div>
    </FormSection>
  )
}
