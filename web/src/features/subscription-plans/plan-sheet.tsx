import { Feature } from '@bancone/contract/access'
import { featureNames } from '@bancone/contract/feature-names'
import { getSettings } from '@bancone/contract/settings'
import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  DEFAULT_MAX_OFFERS,
  defaultFeatures,
  listSubscriptionPlans,
  type PlanEffects,
  PlanFields,
  previewSubscriptionPlan,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { zodResolver } from '@hookform/resolvers/zod'
import { ArrowLeftRight, Minus, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { Controller, FormProvider, useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { call } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckList } from '../../ui/check-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { NamedItemSheet } from '../../ui/named-item-sheet.tsx'
import type { ItemSheetProps } from '../../ui/named-list-page.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { NumberLimitField } from '../../ui/number-limit-field.tsx'
import { fieldMessage, pharmacyCount } from './plan-texts.ts'

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

/** Effects that wait for an answer. */
type Question = { effects: PlanEffects; answer: (saves: boolean) => void }

/** Creates or edits a plan. An edit that affects pharmacies is confirmed first. */
export function PlanSheet(props: ItemSheetProps<SubscriptionPlan>) {
  const { item: plan } = props
  const defaults = useEndpoint(getSettings, {}).data?.plan_defaults
  const saveButton = useRef<HTMLButtonElement>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const form = useForm({
    resolver: zodResolver(PlanFields, { error: fieldMessage }),
    defaultValues: valuesOf(plan, defaults ? defaults.value.maxOffers : DEFAULT_MAX_OFFERS),
  })
  const { control } = form

  /** Whether the administrator accepts what the change means for the pharmacies. */
  async function confirms(planId: string, body: PlanFields): Promise<boolean> {
    const effects = await call(
      previewSubscriptionPlan,
      { params: { planId }, body },
      { readOnly: true },
    )
    if (effectsOf(effects).length === 0) return true
    return new Promise((answer) => setQuestion({ effects, answer }))
  }

  async function save(body: PlanFields) {
    if (plan === null) await call(createSubscriptionPlan, { body })
    else {
      if (!(await confirms(plan.id, body))) return false
      await call(changeSubscriptionPlan, { params: { planId: plan.id }, body })
    }
    return true
  }

  return (
    <FormProvider {...form}>
      <NamedItemSheet
        {...props}
        titles={['Nuovo piano', 'Modifica piano']}
        done={['Piano creato', 'Piano aggiornato']}
        failed="Errore durante il salvataggio del piano di abbonamento."
        takenCode="plans.name_taken"
        list={listSubscriptionPlans}
        save={save}
        onEnd={() => setQuestion(null)}
        actionButton={saveButton}
      >
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
        {question ? (
          <EffectsDialog
            effects={question.effects}
            onAnswer={question.answer}
            onReturnFocus={() => saveButton.current?.focus()}
          />
        ) : null}
      </NamedItemSheet>
    </FormProvider>
  )
}

const icons: Record<Effect['kind'], { Icon: typeof Plus; className: string }> = {
  gain: { Icon: Plus, className: 'text-confirmed' },
  loss: { Icon: Minus, className: 'text-danger' },
  change: { Icon: ArrowLeftRight, className: 'text-muted' },
}

function AboveLimit({ aboveLimit, aboveLimitCount }: PlanEffects) {
  if (aboveLimitCount === 0) return null
  const others = aboveLimitCount - aboveLimit.length
  return (
    <Alert tone="notice">
      <p className="font-medium">
        {aboveLimitCount === 1
          ? '1 farmacia ha più offerte attive del nuovo limite'
          : `${pharmacyCount(aboveLimitCount)} hanno più offerte attive del nuovo limite`}
      </p>
      <p>Le offerte restano attive. Per attivarne altre dovranno prima scendere sotto il limite.</p>
      <ul className="mt-1 list-disc pl-4.5">
        {aboveLimit.map(({ id, name, used }) => (
          <li key={id} className="wrap-anywhere">
            {name}: {used} attive
          </li>
        ))}
        {others > 0 ? <li>e altre {others}</li> : null}
      </ul>
    </Alert>
  )
}

type EffectsDialogProps = {
  effects: PlanEffects
  /** @param saves whether the change is to be saved. Only the first answer counts. */
  onAnswer: (saves: boolean) => void
  onReturnFocus: () => void
}

/** Tells what a change of a plan means for its pharmacies before it is saved. */
function EffectsDialog({ effects, onAnswer, onReturnFocus }: EffectsDialogProps) {
  const [saving, setSaving] = useState(false)
  return (
    <Dialog
      title="Che cosa cambia per le farmacie"
      text={`Il piano riguarda ${pharmacyCount(effects.pharmacies)}. Le modifiche valgono subito.`}
      onClose={() => onAnswer(false)}
      onReturnFocus={onReturnFocus}
      footer={
        <>
          <Button inactive={saving} onClick={() => onAnswer(false)}>
            Torna al piano
          </Button>
          <Button
            look="primary"
            inactive={saving}
            onClick={() => {
              setSaving(true)
              onAnswer(true)
            }}
          >
            {saving ? 'Salvataggio in corso…' : 'Salva le modifiche'}
          </Button>
        </>
      }
    >
      <ul aria-label="Effetti" className="flex flex-col gap-1.5 text-sm">
        {effectsOf(effects).map(({ kind, text }) => {
          const { Icon, className } = icons[kind]
          return (
            <li key={text} className="flex gap-2.5">
              <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
              {text}
            </li>
          )
        })}
      </ul>
      <AboveLimit {...effects} />
      {effects.deviating > 0 ? (
        <p className="text-sm text-pretty text-muted">
          {effects.deviating === 1
            ? '1 farmacia ha valori propri, diversi dal piano: lì restano i suoi.'
            : `${pharmacyCount(effects.deviating)} hanno valori propri, diversi dal piano: lì restano i loro.`}
        </p>
      ) : null}
    </Dialog>
  )
}

type Effect = { kind: 'gain' | 'loss' | 'change'; text: string }

function featureEffects(
  counts: PlanEffects['gained'],
  kind: 'gain' | 'loss',
  text: (name: string, pharmacies: string) => string,
): Effect[] {
  return Feature.options.flatMap((feature) => {
    const count = counts[feature] ?? 0
    return count === 0 ? [] : [{ kind, text: text(featureNames[feature], pharmacyCount(count)) }]
  })
}

/** What a change of a plan means for its pharmacies; empty when it changes nothing for any of them. */
function effectsOf({ gained, lost, limitChanged }: PlanEffects): Effect[] {
  const limit = `Cambia il numero massimo di offerte: ${pharmacyCount(limitChanged)}`
  return [
    ...featureEffects(gained, 'gain', (name, count) => `In più «${name}»: ${count}`),
    ...featureEffects(lost, 'loss', (name, count) => `In meno «${name}»: ${count}`),
    ...(limitChanged === 0 ? [] : [{ kind: 'change' as const, text: limit }]),
  ]
}
