import { Feature } from '@bancone/contract/access'
import { featureNames } from '@bancone/contract/feature-names'
import { getSettings } from '@bancone/contract/settings'
import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  DEFAULT_MAX_OFFERS,
  listSubscriptionPlans,
  type PlanEffects,
  type PlanFields,
  previewSubscriptionPlan,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { ArrowLeftRight, Minus, Plus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import type { ItemSheetProps } from '../../ui/named-list-page.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PlanForm } from './plan-form.tsx'
import { pharmacyCount } from './plan-texts.ts'

/** The server decides the order of the list. */
export function invalidatePlans(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(listSubscriptionPlans) })
}

/** Effects that wait for an answer. */
type Question = { effects: PlanEffects; answer: (saves: boolean) => void }

/** Creates or edits a plan. An edit that affects pharmacies is confirmed first. */
export function PlanSheet(props: ItemSheetProps<SubscriptionPlan>) {
  const { item: plan, overlay, onReturnFocus } = props
  const defaults = useEndpoint(getSettings, {}).data?.plan_defaults
  const form = useId()
  const client = useQueryClient()
  const saveButton = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [question, setQuestion] = useState<Question | null>(null)

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
    if (busy) return
    setBusy(true)
    try {
      if (plan === null) await call(createSubscriptionPlan, { body })
      else {
        if (!(await confirms(plan.id, body))) return
        await call(changeSubscriptionPlan, { params: { planId: plan.id }, body })
      }
      await invalidatePlans(client)
      toastSuccess(plan === null ? 'Piano creato' : 'Piano aggiornato', { description: body.name })
      overlay.close()
    } finally {
      setQuestion(null)
      setBusy(false)
    }
  }

  return (
    <FormSheet
      title={plan === null ? 'Nuovo piano' : 'Modifica piano'}
      form={form}
      busy={busy}
      overlay={overlay}
      saveButton={saveButton}
      onReturnFocus={onReturnFocus}
    >
      <PlanForm
        id={form}
        plan={plan}
        newMaxOffers={defaults ? defaults.value.maxOffers : DEFAULT_MAX_OFFERS}
        onSave={save}
        onUnsaved={overlay.setUnsaved}
      />
      {question ? (
        <EffectsDialog
          effects={question.effects}
          onAnswer={question.answer}
          onReturnFocus={() => saveButton.current?.focus()}
        />
      ) : null}
    </FormSheet>
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
