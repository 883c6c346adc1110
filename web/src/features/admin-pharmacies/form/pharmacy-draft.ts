import { Feature } from '@bancone/contract/access'
import type {
  AdminPharmacy,
  NewPharmacyFields,
  PharmacyChange,
} from '@bancone/contract/admin-pharmacies'
import {
  DEFAULT_MAX_OFFERS,
  defaultFeatures,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { z } from 'zod/mini'
import { readFormDraft, saveDraft } from '../../../lib/drafts.ts'

/** The form as typed, valid or not. */
export const PharmacyDraft = z.object({
  pharmacy_id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Of a new pharmacy: whether it gets a link by mail, or a password typed here. */
  access: z.enum(['link', 'password']),
  password: z.string(),
  phone: z.string(),
  address: z.string(),
  logo_url: z.string(),
  airtable_base_id: z.string(),
  airtable_table_id: z.string(),
  use_supabase_orders: z.boolean(),
  subscription_plan_id: z.string(),
  plan_valid_until: z.string(),
  is_active: z.boolean(),
  /** A text that is no number stays as typed. */
  max_offers: z.nullable(z.union([z.number(), z.string()])),
  features_enabled: z.array(Feature),
  /** Of the pharmacy that was edited; empty for a new one. */
  version: z.string(),
})
export type PharmacyDraft = z.infer<typeof PharmacyDraft>

/** What a plan grants; without a plan, the defaults. */
export function grantsOf(plan: SubscriptionPlan | undefined) {
  return {
    max_offers: plan ? plan.max_offers : DEFAULT_MAX_OFFERS,
    features_enabled: [...(plan?.features ?? defaultFeatures)],
  }
}

/** @param pharmacy null for a new one */
export function draftOf(pharmacy: AdminPharmacy | null): PharmacyDraft {
  return {
    pharmacy_id: pharmacy?.pharmacy_id ?? '',
    name: pharmacy?.name ?? '',
    email: pharmacy?.email ?? '',
    access: 'link',
    password: '',
    phone: pharmacy?.phone ?? '',
    address: pharmacy?.address ?? '',
    logo_url: pharmacy?.logo_url ?? '',
    airtable_base_id: pharmacy?.airtable_base_id ?? '',
    airtable_table_id: pharmacy?.airtable_table_id ?? '',
    use_supabase_orders: pharmacy?.use_supabase_orders ?? false,
    subscription_plan_id: pharmacy?.subscription_plan_id ?? '',
    plan_valid_until: pharmacy?.plan_valid_until ?? '',
    is_active: pharmacy?.is_active ?? true,
    version: pharmacy?.version ?? '',
    ...(pharmacy
      ? { max_offers: pharmacy.max_offers, features_enabled: pharmacy.features_enabled }
      : grantsOf(undefined)),
  }
}

/** The draft for a pharmacy that was changed meanwhile: what the user has changed stays, the rest is what it is now. */
export function rebased(draft: PharmacyDraft, from: AdminPharmacy, to: AdminPharmacy) {
  const before = new Map<string, unknown>(Object.entries(draftOf(from)))
  const isOwn = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before.get(name))
  const own = Object.fromEntries(Object.entries(draft).filter(isOwn))
  return PharmacyDraft.parse({ ...draftOf(to), ...own, version: to.version })
}

/** Without the password, and with the fields always in the same order. */
function textOf(draft: PharmacyDraft): string {
  return JSON.stringify({ ...PharmacyDraft.parse(draft), password: '' })
}

export function isChanged(draft: PharmacyDraft, pharmacy: AdminPharmacy | null): boolean {
  return draft.password !== '' || textOf(draft) !== textOf(draftOf(pharmacy))
}

function nameOf(pharmacy: AdminPharmacy | null): string {
  return `pharmacy-${pharmacy?.id ?? 'new'}`
}

/** What this tab has stored of the form, to survive a reload; null when there is nothing. */
export function readPharmacyDraft(pharmacy: AdminPharmacy | null): PharmacyDraft | null {
  return readFormDraft(nameOf(pharmacy), PharmacyDraft, 'admin')
}

/** Stores the form without its password. An unchanged form is not stored. */
export function savePharmacyDraft(pharmacy: AdminPharmacy | null, draft: PharmacyDraft) {
  const text = textOf(draft)
  saveDraft(nameOf(pharmacy), text === textOf(draftOf(pharmacy)) ? '' : text, 'admin')
}

/** Deletes what is stored of the form, after it was saved or discarded. */
export function discardPharmacyDraft(pharmacy: AdminPharmacy | null) {
  saveDraft(nameOf(pharmacy), '', 'admin')
}

/** The fields that both requests have as they are typed. */
const Common = z.omit(PharmacyDraft, {
  pharmacy_id: true,
  email: true,
  access: true,
  password: true,
  version: true,
})

/** The request that replaces all fields of a pharmacy. */
export function toPharmacyChange(draft: PharmacyDraft): z.input<typeof PharmacyChange> {
  const { password, plan_valid_until: end, version, max_offers: limit } = draft
  return {
    ...Common.parse(draft),
    ...(version === '' ? {} : { seen: version }),
    max_offers: typeof limit === 'string' ? Number.NaN : limit,
    plan_valid_until: end || null,
    ...(password === '' ? {} : { password }),
  }
}

function optional(text: string): string | undefined {
  return text.trim() || undefined
}

/** The request that creates a pharmacy. Empty optional texts are left out. */
export function toNewPharmacy(draft: PharmacyDraft): z.input<typeof NewPharmacyFields> {
  const password = draft.access === 'password' ? draft.password : ''
  return {
    ...toPharmacyChange({ ...draft, password }),
    email: draft.email.trim(),
    pharmacy_id: optional(draft.pharmacy_id),
    phone: optional(draft.phone),
    address: optional(draft.address),
    logo_url: optional(draft.logo_url),
    airtable_base_id: optional(draft.airtable_base_id),
    airtable_table_id: optional(draft.airtable_table_id),
  }
}
