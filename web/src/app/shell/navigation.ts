import { can, type Feature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'

export type NavigationEntry = { to: string; label: string; feature?: Feature }

/** The links of the bar, in their order. One with a feature is for the pharmacies that have it. */
const entries: readonly NavigationEntry[] = [{ to: paths.dashboard, label: 'Dashboard' }]

export function navigationFor(
  pharmacy: Pick<OwnPharmacy, 'features'> | undefined,
  all: readonly NavigationEntry[] = entries,
): NavigationEntry[] {
  return all.filter(({ feature }) => !feature || (pharmacy && can(pharmacy, feature)))
}
