import { type Feature, hasFeature, type Role } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import {
  Clock,
  KeyRound,
  type LucideIcon,
  Package,
  PackageCheck,
  ScanBarcode,
  ShieldCheck,
  Store,
  UserRoundSearch,
  Users,
} from 'lucide-react'

export type NavigationEntry = {
  to: string
  label: string
  title?: string
  /** In the account menu. */
  icon?: LucideIcon
  feature?: Feature
  role?: Role
  /** The page has a document of its own, with another content security policy. */
  ownDocument?: boolean
}

type Allowed = Pick<OwnPharmacy, 'features' | 'role'>

/** Links of the top bar, in their order. That to WhatsApp is always there: its page says whether the plan has it. A link with a feature or a role is shown only with that feature or role. */
const entries: readonly NavigationEntry[] = [
  { to: paths.dashboard, label: 'Dashboard' },
  { to: paths.offers, label: 'Offerte', feature: 'offers' },
  { to: paths.analytics, label: 'Analytics', feature: 'analytics' },
  { to: paths.priority, label: 'Priority', feature: 'priority_access' },
  {
    to: paths.whatsapp,
    label: 'WhatsApp',
    title: 'Connetti WhatsApp',
    ownDocument: true,
  },
]

/** Further links of the account menu. */
const tools: readonly NavigationEntry[] = [
  { to: paths.productDraft, label: 'Scheda prodotto', icon: Package, feature: 'offers' },
]

/** The pages about the account and the colleagues, in the order of their links. `account-routes.tsx` has their code. */
export const accountPages = [
  { to: paths.account, label: 'Sicurezza', icon: ShieldCheck },
  { to: paths.readerTest, label: 'Prova del lettore', icon: ScanBarcode },
  {
    to: paths.pharmacyProfile,
    label: 'Farmacia',
    icon: Store,
    feature: 'custom_branding',
    role: 'owner',
  },
  { to: paths.pickup, label: 'Ritiro', icon: PackageCheck, role: 'owner' },
  { to: paths.colleagues, label: 'Colleghi', icon: Users, role: 'owner' },
  { to: paths.apiKeys, label: 'Chiavi API', icon: KeyRound, role: 'owner' },
  { to: paths.customerData, label: 'Dati dei clienti', icon: UserRoundSearch, role: 'owner' },
  { to: paths.pharmacyAudit, label: 'Registro', icon: Clock, role: 'owner' },
] as const satisfies readonly NavigationEntry[]

/** @param pharmacy undefined while it is loading: then only the links without condition */
export function navigationFor(
  pharmacy: Allowed | undefined,
  all: readonly NavigationEntry[] = entries,
): NavigationEntry[] {
  return all.filter(
    ({ feature, role }) =>
      (!feature || (pharmacy && hasFeature(pharmacy, feature))) &&
      (!role || pharmacy?.role === role),
  )
}

export function toolsFor(pharmacy: Allowed | undefined): NavigationEntry[] {
  return navigationFor(pharmacy, tools)
}

export function accountPagesFor(pharmacy: Allowed | undefined): NavigationEntry[] {
  return navigationFor(pharmacy, accountPages)
}
