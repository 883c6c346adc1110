import type { PlanEffects } from '@bancone/contract/subscription-plans'
import { ArrowLeftRight, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Effect, effectsOf } from './plan-effects.ts'
import { pharmacyCount } from './plan-texts.ts'

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
export function EffectsDialog({ effects, onAnswer, onReturnFocus }: EffectsDialogProps) {
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
