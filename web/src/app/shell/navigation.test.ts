import type { Feature } from '@bancone/contract/access'
import { expect, test } from 'vitest'
import { accountPages, accountPagesFor, navigationFor, toolsFor } from './navigation.ts'

test('there is a link to what exists, and to nothing that does not exist yet', () => {
  const features: Feature[] = ['offers', 'analytics', 'priority_access', 'whatsapp_integration']
  const labels = (own: Parameters<typeof navigationFor>[0]) =>
    navigationFor(own).map(({ label }) => label)
  expect(labels(undefined)).toEqual(['Dashboard', 'WhatsApp'])
  expect(labels({ features: ['offers'], role: 'staff' })).toEqual([
    'Dashboard',
    'Offerte',
    'WhatsApp',
  ])
  expect(navigationFor({ features, role: 'owner' })).toMatchObject([
    { to: '/', label: 'Dashboard' },
    { to: '/offers', label: 'Offerte', feature: 'offers' },
    { to: '/analytics', label: 'Analytics', feature: 'analytics' },
    { to: '/priority', label: 'Priority', feature: 'priority_access' },
    { to: '/meta', label: 'WhatsApp', title: 'Connetti WhatsApp', ownDocument: true },
  ])
})

test('the product sheet is for the pharmacies that have offers', () => {
  const sheet = { to: '/product-draft', label: 'Scheda prodotto', feature: 'offers' }
  expect(toolsFor({ features: ['offers'], role: 'staff' })).toMatchObject([sheet])
  expect(toolsFor({ features: ['analytics'], role: 'owner' })).toEqual([])
  expect(toolsFor(undefined)).toEqual([])
})

test('the pages of owners and of features are for them', () => {
  const pages = (own: Parameters<typeof accountPagesFor>[0]) =>
    accountPagesFor(own).map(({ label }) => label)
  const all = accountPages.map(({ label }) => label)
  expect(pages({ features: ['custom_branding'], role: 'owner' })).toEqual(all)
  expect(pages({ features: [], role: 'owner' })).toEqual(
    all.filter((label) => label !== 'Farmacia'),
  )
  const forAll = ['Sicurezza', 'Prova del lettore']
  expect(pages({ features: ['custom_branding'], role: 'staff' })).toEqual(forAll)
  expect(pages(undefined)).toEqual(forAll)
})
