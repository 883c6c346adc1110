import { Closing, OpeningWeek } from '@bancone/contract/opening-hours'
import type { PharmacyProfile, ProfileChange } from '@bancone/contract/pharmacy-profile'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'

/** The columns with shapes of the contract; null without a profile. */
const Hours = z.object({
  openingWeek: z.nullable(OpeningWeek),
  closings: z.array(Closing).nullable(),
})

export type PharmacyProfileStore = ReturnType<typeof createPharmacyProfileStore>

/** The only writer of `pharmacy_profiles`. */
export function createPharmacyProfileStore(db: Database) {
  return {
    /** The profile of a pharmacy, also of one that shows nothing of it. @throws AppError pharmacies.not_found */
    async get(pharmacyId: string): Promise<PharmacyProfile & { name: string }> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .leftJoin('pharmacy_profiles as profile', 'profile.pharmacy_id', 'pharmacy.id')
        .select(['pharmacy.name', 'pharmacy.logo_url', 'brand_color', 'description', 'map_url'])
        .select(['opening_week', 'closings'])
        .where('pharmacy.id', '=', pharmacyId)
        .where('pharmacy.deleted_at', 'is', null)
        .executeTakeFirstOrThrow(() => new AppError('pharmacies.not_found'))
      const hours = Hours.parse({ openingWeek: row.opening_week, closings: row.closings })
      return {
        name: row.name,
        logoUrl: row.logo_url,
        brandColor: row.brand_color,
        description: row.description,
        mapUrl: row.map_url,
        openingWeek: hours.openingWeek,
        closings: hours.closings ?? [],
      }
    },

    /** The version of the terms under which the fields for a prescription are on; null where they are off. */
    async prescriptionTermsVersion(pharmacyId: string): Promise<number | null> {
      const row = await db
        .selectFrom('pharmacy_profiles')
        .select('prescription_terms_version')
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      return row?.prescription_terms_version ?? null
    },

    async setPrescriptionTermsVersion(pharmacyId: string, version: number | null): Promise<void> {
      const values = { prescription_terms_version: version }
      await db
        .insertInto('pharmacy_profiles')
        .values({ pharmacy_id: pharmacyId, ...values })
        .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(values))
        .execute()
    },

    async save(pharmacyId: string, profile: Omit<ProfileChange, 'logo'>): Promise<void> {
      const { brandColor, openingWeek, closings, description, mapUrl } = profile
      const values = {
        brand_color: brandColor,
        opening_week: openingWeek && JSON.stringify(openingWeek),
        closings: JSON.stringify(closings),
        description,
        map_url: mapUrl,
      }
      await db
        .insertInto('pharmacy_profiles')
        .values({ pharmacy_id: pharmacyId, ...values })
        .onConflict((conflict) =>
          conflict.column('pharmacy_id').doUpdateSet({ ...values, updated_at: sql<string>`now()` }),
        )
        .execute()
    },
  }
}
