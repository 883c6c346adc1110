import { Feature, resolveFeatures } from '@bancone/contract/access'
import {
  type AdminPharmacy,
  NewPharmacyFields,
  PharmacyChange,
} from '@bancone/contract/admin-pharmacies'
import { formatShortDay } from '@bancone/contract/dates'
import { featureNames } from '@bancone/contract/feature-names'
import { ImportField, type ImportRow, type RowProblem } from '@bancone/contract/pharmacy-imports'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { z } from 'zod'
import { type Cells, type Values, valuesOf } from './import-cells.rules.ts'

type Difference = ImportRow['differences'][number]

/** What there is already. Codes are in capitals, addresses in small letters. */
export type Known = {
  plans: readonly SubscriptionPlan[]
  /** By code and by address. Deleted ones included. */
  byCode: ReadonlyMap<string, AdminPharmacy>
  byEmail: ReadonlyMap<string, AdminPharmacy>
  /** Codes of all pharmacies there ever were, and addresses of all accounts. */
  usedCodes: ReadonlySet<string>
  usedEmails: ReadonlySet<string>
  /** Telephone numbers of the rows that nobody can call. */
  wrongPhones: ReadonlySet<string>
}

export type Decision =
  | { outcome: 'new'; fields: NewPharmacyFields }
  | {
      outcome: 'changed'
      pharmacyId: string
      fields: PharmacyChange
      differences: Difference[]
    }
  | { outcome: 'same'; pharmacyId: string }
  | { outcome: 'refused'; problems: RowProblem[] }

export const BAD_PHONE: RowProblem = {
  field: 'phone',
  text: 'Nessuno può chiamare questo numero: scrivilo intero, per esempio 041 520 1234.',
}

export const NOT_MIGRATED: RowProblem = {
  field: 'use_supabase_orders',
  text: 'Gli ordini sono ancora in Airtable: passa a Supabase dalla migrazione degli ordini.',
}

const refused = (...problems: RowProblem[]): Decision => ({ outcome: 'refused', problems })

/**
 * What a row means: its pharmacy is found by its code, else by its address. A cell that is empty leaves an existing
 * pharmacy as it is, and a new one as the form proposes it.
 */
export function decide(cells: Cells, known: Known): Decision {
  const { values, problems } = valuesOf(cells, known.plans)
  const pharmacy = pharmacyOf(values, known)
  if (known.wrongPhones.has(values.phone ?? '')) problems.push(BAD_PHONE)
  const conflict = pharmacy ? conflictWith(pharmacy, values) : takenBy(values, known)
  if (conflict) return refused(...problems, conflict)

  const wanted = wantedFields(values, pharmacy, known.plans)
  if (!pharmacy) {
    const { email = '', pharmacy_id } = values
    const { data, error } = NewPharmacyFields.safeParse({ ...wanted, email, pharmacy_id })
    return data && problems.length === 0
      ? { outcome: 'new', fields: data }
      : refused(...problems, ...issueProblems(error, problems, email === ''))
  }
  if (isUnmigrated(pharmacy, values)) problems.push(NOT_MIGRATED)
  const { data, error } = PharmacyChange.safeParse(wanted)
  if (!data || problems.length > 0) {
    return refused(...problems, ...issueProblems(error, problems, false))
  }
  const differences = differencesOf(pharmacy, data, known.plans)
  return differences.length === 0
    ? { outcome: 'same', pharmacyId: pharmacy.id }
    : { outcome: 'changed', pharmacyId: pharmacy.id, fields: data, differences }
}

function pharmacyOf({ pharmacy_id, email }: Values, known: Known): AdminPharmacy | undefined {
  return pharmacy_id === undefined
    ? known.byEmail.get(email?.toLowerCase() ?? '')
    : known.byCode.get(pharmacy_id.toUpperCase())
}

function conflictWith(pharmacy: AdminPharmacy, { email }: Values): RowProblem | undefined {
  if (pharmacy.deleted_at !== null) {
    return { field: null, text: 'Questa farmacia è stata eliminata: prima ripristinala.' }
  }
  if (email === undefined || email.toLowerCase() === pharmacy.email.toLowerCase()) return undefined
  return {
    field: 'email',
    text: `La farmacia ${pharmacy.pharmacy_id} ha un'altra email: qui non si può cambiare.`,
  }
}

function isUnmigrated(pharmacy: AdminPharmacy, values: Values): boolean {
  const {
    airtable_base_id: base,
    airtable_table_id: table,
    use_supabase_orders: isThere,
  } = pharmacy
  return values.use_supabase_orders === true && !isThere && Boolean(base && table)
}

function takenBy({ pharmacy_id, email }: Values, known: Known): RowProblem | undefined {
  if (pharmacy_id !== undefined && known.usedCodes.has(pharmacy_id.toUpperCase())) {
    return { field: 'pharmacy_id', text: 'Questo codice è già stato usato.' }
  }
  const address = email?.toLowerCase() ?? ''
  const owner = known.byEmail.get(address)
  if (owner) return { field: 'email', text: `Questa email è della farmacia ${owner.pharmacy_id}.` }
  return known.usedEmails.has(address)
    ? { field: 'email', text: 'Questa email ha già un account.' }
    : undefined
}

/** What would be sent by the form. */
function wantedFields(
  values: Values,
  pharmacy: AdminPharmacy | undefined,
  plans: readonly SubscriptionPlan[],
) {
  const planId = values.subscription_plan_id ?? pharmacy?.subscription_plan_id ?? undefined
  const plan = plans.find(({ id }) => id === planId)
  // In what it deviates from its plan a pharmacy stays as it is, also under another plan.
  const own = (key: Feature | 'max_offers') =>
    pharmacy?.deviations.includes(key) || !plan ? pharmacy : undefined
  const limit = own('max_offers') ?? plan
  const features = Feature.options.filter((id) =>
    own(id) ? own(id)?.features_enabled.includes(id) : plan?.features.includes(id),
  )
  return {
    name: values.name ?? pharmacy?.name ?? '',
    phone: values.phone ?? pharmacy?.phone,
    address: values.address ?? pharmacy?.address,
    logo_url: values.logo_url ?? pharmacy?.logo_url,
    subscription_plan_id: planId,
    plan_valid_until: values.plan_valid_until ?? pharmacy?.plan_valid_until,
    is_active: values.is_active ?? pharmacy?.is_active ?? true,
    max_offers: values.max_offers === undefined ? (limit?.max_offers ?? null) : values.max_offers,
    features_enabled: values.features_enabled ?? features,
    airtable_base_id: values.airtable_base_id ?? pharmacy?.airtable_base_id,
    airtable_table_id: values.airtable_table_id ?? pharmacy?.airtable_table_id,
    use_supabase_orders: values.use_supabase_orders ?? pharmacy?.use_supabase_orders ?? false,
  }
}

function differencesOf(
  pharmacy: AdminPharmacy,
  wanted: PharmacyChange,
  plans: readonly SubscriptionPlan[],
): Difference[] {
  const features = resolveFeatures(wanted.features_enabled)
  // The file of refused rows has telephone numbers in groups: see `telephone`.
  const compared = ({ phone }: { phone: string | null }, ids: readonly Feature[]) => ({
    phone: phone?.replaceAll(/[\s()./-]/g, ''),
    features_enabled: ids.join(),
  })
  const after = { ...wanted, ...compared(wanted, features) }
  const before = { ...pharmacy, ...compared(pharmacy, pharmacy.features_enabled) }
  const keys = z.object(PharmacyChange.shape).omit({ password: true, seen: true }).keyof().options
  return keys
    .filter((key) => before[key] !== after[key])
    .map((field) => ({
      field,
      before: valueText(field, pharmacy, plans),
      after: valueText(field, { ...wanted, features_enabled: features }, plans),
    }))
}

type Shown = Omit<PharmacyChange, 'features_enabled' | 'subscription_plan_id'> &
  Pick<AdminPharmacy, 'features_enabled' | 'subscription_plan_id'>

/** As a cell of the file would have it. */
function valueText(
  field: Exclude<keyof Shown, 'password' | 'seen'>,
  shown: Shown,
  plans: readonly SubscriptionPlan[],
): string {
  switch (field) {
    case 'subscription_plan_id':
      return plans.find(({ id }) => id === shown.subscription_plan_id)?.name ?? ''
    case 'plan_valid_until':
      return shown.plan_valid_until === null ? '' : formatShortDay(shown.plan_valid_until)
    case 'max_offers':
      return shown.max_offers === null ? 'illimitate' : String(shown.max_offers)
    case 'features_enabled':
      return shown.features_enabled.map((id) => featureNames[id]).join(', ') || 'nessuna'
    case 'is_active':
      return shown.is_active ? 'sì' : 'no'
    case 'use_supabase_orders':
      return shown.use_supabase_orders ? 'Supabase' : 'Airtable'
    case 'name':
    case 'phone':
    case 'address':
    case 'logo_url':
    case 'airtable_base_id':
    case 'airtable_table_id':
      return shown[field] ?? ''
  }
}

const texts: Partial<Record<ImportField, string>> = {
  pharmacy_id: 'Usa lettere, cifre e trattini, per esempio PHARM-0001.',
  name: 'Il nome della farmacia è obbligatorio',
  email: "Controlla l'indirizzo email: non è completo.",
  logo_url: 'Scrivi un indirizzo che comincia con https://.',
  subscription_plan_id: 'Seleziona un piano di abbonamento - questo campo è obbligatorio',
  max_offers: 'Al massimo 100.000 offerte.',
}

/** The problems that the request of the form would have. Of a field that has a problem already there is no second one. */
function issueProblems(
  error: z.core.$ZodError | undefined,
  known: readonly RowProblem[],
  isWithoutEmail: boolean,
): RowProblem[] {
  const problems = new Map<ImportField, RowProblem>()
  for (const issue of error?.issues ?? []) {
    const field = ImportField.parse(issue.path[0])
    if (known.some((problem) => problem.field === field)) continue
    const text =
      field === 'email' && isWithoutEmail
        ? "L'email è obbligatoria"
        : issue.code === 'too_big' && issue.origin === 'string'
          ? `Al massimo ${issue.maximum} caratteri.`
          : (texts[field] ?? 'Il valore non è valido.')
    problems.set(field, { field, text })
  }
  return [...problems.values()]
}
