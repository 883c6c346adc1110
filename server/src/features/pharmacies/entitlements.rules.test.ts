import { expect, it } from 'vitest'
import { type Deviation, deviationsFrom, type Entitlements } from './entitlements.rules.ts'

const plan: Entitlements = { features: ['offers', 'whatsapp_integration'], max_offers: 10 }

it.each<[string, Partial<Entitlements>, Deviation[]]>([
  ['the same', {}, []],
  [
    'the same in another order, twice',
    { features: ['whatsapp_integration', 'offers', 'offers'] },
    [],
  ],
  [
    'a feature more',
    { features: [...plan.features, 'analytics'] },
    [{ key: 'analytics', value: true }],
  ],
  ['a feature less', { features: ['offers'] }, [{ key: 'whatsapp_integration', value: false }]],
  ['another limit', { max_offers: 0 }, [{ key: 'max_offers', value: 0 }]],
  ['no limit', { max_offers: null }, [{ key: 'max_offers', value: null }]],
])('what a pharmacy has that is %s', (_what, differs, deviations) => {
  expect(deviationsFrom(plan, { ...plan, ...differs })).toEqual(deviations)
})
