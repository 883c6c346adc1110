import { brandPalette } from '@bancone/contract/brand-color'
import type { Day } from '@bancone/contract/dates'
import type { UploadedImage } from '@bancone/contract/images'
import type {
  PharmacyProfile,
  ProfileChange,
  PublicProfile,
} from '@bancone/contract/pharmacy-profile'
import { type PrescriptionFields, prescriptionTerms } from '@bancone/contract/prescription-fields'
import { AppError } from '../../base/app-error.ts'
import type { PharmacyProfileStore } from './pharmacy-profile.store.ts'

/** An upload whose body has not been read yet. */
type Upload = { receive(): Promise<{ path: string }> }

/** What is written of a profile in one transaction. */
export type ProfileWriting = {
  profiles: PharmacyProfileStore
  /** Marks a picture as in use. @returns its URL; undefined when the pharmacy has no such picture */
  holdPicture(pharmacyId: string, publicId: string, holder: string): Promise<string | undefined>
  /** The picture that was the logo before is released. */
  setLogo(pharmacyId: string, url: string | null): Promise<void>
  record<Recorded extends PharmacyProfile | { termsVersion: number | null }>(
    action: 'profile_changed' | 'prescription_fields_changed',
    pharmacyId: string,
    before: Recorded,
    after: Recorded,
  ): Promise<void>
}

type Dependencies = {
  store: PharmacyProfileStore
  /** Runs the work in a transaction, one at a time for a pharmacy. */
  write<T>(pharmacyId: string, work: (writing: ProfileWriting) => Promise<T>): Promise<T>
  uploadPicture(pharmacyId: string, upload: Upload, signal?: AbortSignal): Promise<UploadedImage>
}

export type PharmacyProfiles = ReturnType<typeof createPharmacyProfiles>

/** What pharmacies show of themselves on their public pages. */
export function createPharmacyProfiles({ store, write, uploadPicture }: Dependencies) {
  return {
    get: store.get,

    /** Whether they are on, with the present terms accepted. */
    async hasPrescriptionFields(pharmacyId: string): Promise<boolean> {
      return (await store.prescriptionTermsVersion(pharmacyId)) === prescriptionTerms.version
    },

    /** @throws AppError images.not_found when the new logo is not a picture of the pharmacy */
    change(pharmacyId: string, { logo, ...profile }: ProfileChange) {
      return write(pharmacyId, async ({ profiles, holdPicture, setLogo, record }) => {
        const before = await profiles.get(pharmacyId)
        await profiles.save(pharmacyId, profile)
        if (logo === null) await setLogo(pharmacyId, null)
        else if (logo !== undefined) {
          const url = await holdPicture(pharmacyId, logo, `logo:${pharmacyId}`)
          if (url === undefined) throw new AppError('images.not_found')
          await setLogo(pharmacyId, url)
        }
        const after = await profiles.get(pharmacyId)
        await record('profile_changed', pharmacyId, before, after)
        return after
      })
    },

    /** @param termsVersion of the terms that the owner has read; null switches the fields off */
    changePrescriptionFields(
      pharmacyId: string,
      termsVersion: number | null,
    ): Promise<PrescriptionFields> {
      const isOn = termsVersion !== null
      if (isOn && termsVersion !== prescriptionTerms.version)
        throw new AppError('whatsapp.other_terms')
      return write(pharmacyId, async ({ profiles, record }) => {
        const before = { termsVersion: await profiles.prescriptionTermsVersion(pharmacyId) }
        await profiles.setPrescriptionTermsVersion(pharmacyId, termsVersion)
        await record('prescription_fields_changed', pharmacyId, before, { termsVersion })
        return { isOn }
      })
    },

    /** Stores a picture for a pharmacy, as if it had uploaded it itself. */
    async upload(pharmacyId: string, upload: Upload, signal?: AbortSignal): Promise<UploadedImage> {
      await store.get(pharmacyId)
      return uploadPicture(pharmacyId, upload, signal)
    },

    /** The public part; null where it is empty. @param today closings before it are left out */
    async publicPart(pharmacyId: string, today: Day): Promise<PublicProfile | null> {
      const { brandColor, openingWeek, closings, description, mapUrl } = await store.get(pharmacyId)
      const shown = closings
        .filter(({ to }) => to >= today)
        .toSorted((one, other) => one.from.localeCompare(other.from))
      const isEmpty = [brandColor, openingWeek, description, mapUrl].every((each) => each === null)
      if (isEmpty && shown.length === 0) return null
      const palette = brandColor === null ? null : brandPalette(brandColor)
      return { palette, openingWeek, closings: shown, description, mapUrl }
    },
  }
}
