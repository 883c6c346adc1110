import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  type PlanEffects,
  type PlanFields,
  previewSubscriptionPlan,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import type { GuardedOverlay } from '../../lib/use-guarded-overlay.ts'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { EffectsDialog } from './effects-dialog.tsx'
import { effectsOf } from './plan-effects.ts'
import { PlanForm } from './plan-form.tsx'
import { invalidatePlans } from './use-plans.ts'

type PlanSheetProps = {
  /** Null for a new plan. */
  plan: SubscriptionPlan | null
  /** The limit of offers of a new plan; null for any number. */
  newMaxOffers: number | null
  overlay: GuardedOverlay
  onReturnFocus: () => void
}

/** Effects that wait for an answer. */
type Question = { effects: PlanEffects; answer: (saves: boolean) => void }

/** Creates or edits a plan. An edit that affects pharmacies is confirmed first. */
export function PlanSheet({ plan, newMaxOffers, overlay, onReturnFocus }: PlanSheetProps) {
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
        newMaxOffers={newMaxOffers}
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
