import { can, type Feature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'

export type NavigationEntry = { to: string; label: string; feature?: Feature }

/** The links of the bar, in their order. One with a feature is for the pharmacies that have it. */
const entries: readonly NavigationEntry[] = [{ to: paths.dashboard, label: 'Dashboard' }]

/** What the menu of the name leads to besides. */
const tools: readonly NavigationEntry[] = [
  { to: paths.productDraft, label: 'Scheda prodotto', feature: 'offers' },
]

export function navigationFor(
  pharmacy: Pick<OwnPharmacy, 'features'> | undefined,
  all: readonly NavigationEntry[] = entries,
): NavigationEntry[] {
  return all.filter(({ feature }) => !feature || (pharmacy && can(pharmacy, feature)))
}

export function toolsFor(pharmacy: Pick<OwnPharmacy, 'features'> | undefined): NavigationEntry[] {
  return navigationFor(pharmacy, tools)
}
