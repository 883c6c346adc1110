import type { Feature } from '@bancone/contract/access'
import { expect, test } from 'vitest'
import { type NavigationEntry, navigationFor, toolsFor } from './navigation.ts'

const all: NavigationEntry[] = [
  { to: '/', label: 'Dashboard' },
  { to: '/offers', label: 'Offerte', feature: 'offers' },
  { to: '/priority', label: 'Priority', feature: 'priority_access' },
]

test.each<{ features: Feature[]; labels: string[] }>([
  { features: [], labels: ['Dashboard'] },
  { features: ['offers'], labels: ['Dashboard', 'Offerte'] },
  { features: ['priority_access', 'offers'], labels: ['Dashboard', 'Offerte', 'Priority'] },
])('a pharmacy with $features is shown $labels', ({ features, labels }) => {
  expect(navigationFor({ features }, all).map(({ label }) => label)).toEqual(labels)
})

test('before the pharmacy is known only what all have is shown', () => {
  expect(navigationFor(undefined, all).map(({ label }) => label)).toEqual(['Dashboard'])
})

test('there is a link to the dashboard, and to nothing that does not exist yet', () => {
  const features: Feature[] = ['offers', 'analytics', 'priority_access']
  expect(navigationFor({ features })).toEqual([{ to: '/', label: 'Dashboard' }])
})

test('the product sheet is for the pharmacies that have offers', () => {
  const sheet = { to: '/product-draft', label: 'Scheda prodotto', feature: 'offers' }
  expect(toolsFor({ features: ['offers'] })).toEqual([sheet])
  expect(toolsFor({ features: ['analytics'] })).toEqual([])
  expect(toolsFor(undefined)).toEqual([])
})
