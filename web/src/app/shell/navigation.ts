import { can, type Feature, type Role } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'

export type NavigationEntry = { to: string; label: string; feature?: Feature; role?: Role }

type Allowed = Pick<OwnPharmacy, 'features' | 'role'>

/**
 * The links of the bar, in their order. One with a feature is for the pharmacies that have it, one with a role
 * for those who have that one.
 */
const entries: readonly NavigationEntry[] = [
  { to: paths.dashboard, label: 'Dashboard' },
  { to: paths.offers, label: 'Offerte', feature: 'offers' },
]

/** What the menu of the name leads to besides. */
const tools: readonly NavigationEntry[] = [
  { to: paths.productDraft, label: 'Scheda prodotto', feature: 'offers' },
]

/** One's own account, and who else may do what. */
const accountPages: readonly NavigationEntry[] = [
  { to: paths.account, label: 'Sicurezza' },
  { to: paths.colleagues, label: 'Colleghi', role: 'owner' },
  { to: paths.apiKeys, label: 'Chiavi API', role: 'owner' },
]

/** @param pharmacy undefined before it is known: then only what everybody has is there */
export function navigationFor(
  pharmacy: Allowed | undefined,
  all: readonly NavigationEntry[] = entries,
): NavigationEntry[] {
  return all.filter(
    ({ feature, role }) =>
      (!feature || (pharmacy && can(pharmacy, feature))) && (!role || pharmacy?.role === role),
  )
}

export function toolsFor(pharmacy: Allowed | undefined): NavigationEntry[] {
  return navigationFor(pharmacy, tools)
}

export function accountPagesFor(pharmacy: Allowed | undefined): NavigationEntry[] {
  return navigationFor(pharmacy, accountPages)
}
