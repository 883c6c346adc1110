import { Feature } from '@bancone/contract/access'
import { featureNames } from '@bancone/contract/feature-names'
import type { PlanEffects } from '@bancone/contract/subscription-plans'
import { pharmacyCount } from './plan-texts.ts'

export type Effect = { kind: 'gain' | 'loss' | 'change'; text: string }

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
export function effectsOf({ gained, lost, limitChanged }: PlanEffects): Effect[] {
  const limit = `Cambia il numero massimo di offerte: ${pharmacyCount(limitChanged)}`
  return [
    ...featureEffects(gained, 'gain', (name, count) => `In più «${name}»: ${count}`),
    ...featureEffects(lost, 'loss', (name, count) => `In meno «${name}»: ${count}`),
    ...(limitChanged === 0 ? [] : [{ kind: 'change' as const, text: limit }]),
  ]
}
