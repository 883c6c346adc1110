import type { Feature, Role } from '@bancone/contract/access'
import { expect, test } from 'vitest'
import { accountPagesFor, type NavigationEntry, navigationFor, toolsFor } from './navigation.ts'

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
  expect(navigationFor({ features, role: 'staff' }, all).map(({ label }) => label)).toEqual(labels)
})

test('before the pharmacy is known only what all have is shown', () => {
  expect(navigationFor(undefined, all).map(({ label }) => label)).toEqual(['Dashboard'])
})

test('there is a link to what exists, and to nothing that does not exist yet', () => {
  const features: Feature[] = ['offers', 'analytics', 'priority_access', 'whatsapp_integration']
  expect(navigationFor(undefined).map(({ label }) => label)).toEqual(['Dashboard', 'WhatsApp'])
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
  expect(toolsFor({ features: ['offers'], role: 'staff' })).toEqual([sheet])
  expect(toolsFor({ features: ['analytics'], role: 'owner' })).toEqual([])
  expect(toolsFor(undefined)).toEqual([])
})

test.each<{ role: Role; labels: string[] }>([
  {
    role: 'owner',
    labels: ['Sicurezza', 'Colleghi', 'Chiavi API', 'Dati dei clienti', 'Registro'],
  },
  { role: 'staff', labels: ['Sicurezza'] },
])('the account pages of $role are $labels', ({ role, labels }) => {
  expect(accountPagesFor({ features: [], role }).map(({ label }) => label)).toEqual(labels)
})

test("the pharmacy's profile is for owners whose pharmacy has its own branding", () => {
  const labels = (role: Role) =>
    accountPagesFor({ features: ['custom_branding'], role }).map(({ label }) => label)
  expect(labels('owner')).toEqual([
    'Sicurezza',
    'Farmacia',
    'Colleghi',
    'Chiavi API',
    'Dati dei clienti',
    'Registro',
  ])
  expect(labels('staff')).toEqual(['Sicurezza'])
})

test('before the role is known only what everybody has is among them', () => {
  expect(accountPagesFor(undefined).map(({ label }) => label)).toEqual(['Sicurezza'])
})
