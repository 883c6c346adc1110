import {
  type AdminPharmacy,
  MAX_PHONE_LENGTH,
  type NewPharmacyFields,
  type PharmacyChange,
} from '@bancone/contract/admin-pharmacies'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import type { Database } from '../../database/database.ts'
import type { Actor } from '../../platform/auth/admin.service.ts'
import { isCallable } from '../../platform/phone-numbers.ts'
import type { Cells } from './import-cells.rules.ts'
import type { Known } from './import-rows.rules.ts'
import type { ImportRowsStore } from './import-rows.store.ts'

/** Further work of the transaction that writes a pharmacy. */
type Within = (tx: Database) => Promise<void>

/** What an import needs of the pharmacies and plans: the same use cases as the forms of administrators. */
export type ImportedPharmacies = {
  plans(): Promise<SubscriptionPlan[]>
  /** All that are not deleted. */
  present(): Promise<AdminPharmacy[]>
  /** Those with one of the codes or addresses, deleted ones included. */
  matching(codes: readonly string[], emails: readonly string[]): Promise<AdminPharmacy[]>
  /** Creates a pharmacy that gets a link by mail. */
  invite(fields: NewPharmacyFields, actor: Actor, within: Within): Promise<void>
  update(pharmacyId: string, fields: PharmacyChange, userId: string, within: Within): Promise<void>
}

/** Loads what there is of the pharmacies that the rows name. */
export async function knownFor(
  rows: readonly { fields: Cells }[],
  pharmacies: Pick<ImportedPharmacies, 'plans' | 'matching'>,
  store: Pick<ImportRowsStore, 'used'>,
): Promise<Known> {
  const codes = rows.flatMap(({ fields }) => fields.pharmacy_id?.toUpperCase() ?? [])
  const emails = rows.flatMap(({ fields }) => fields.email?.toLowerCase() ?? [])
  const found = await pharmacies.matching(codes, emails)
  const used = await store.used(codes, emails)
  const wrongPhones = new Set<string>()
  for (const { fields } of rows) {
    const phone = fields.phone ?? ''
    if (phone !== '' && !(await isCallable(phone.slice(0, MAX_PHONE_LENGTH)))) {
      wrongPhones.add(phone)
    }
  }
  return {
    plans: await pharmacies.plans(),
    byCode: new Map(found.map((pharmacy) => [pharmacy.pharmacy_id.toUpperCase(), pharmacy])),
    byEmail: new Map(found.map((pharmacy) => [pharmacy.email.toLowerCase(), pharmacy])),
    usedCodes: new Set(used.codes),
    usedEmails: new Set(used.emails),
    wrongPhones,
  }
}
