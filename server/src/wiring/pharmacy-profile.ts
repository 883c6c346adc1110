import {
  changeOwnProfile,
  changePharmacyProfile,
  getOwnProfile,
  getPharmacyProfile,
  uploadPharmacyLogo,
} from '@bancone/contract/pharmacy-profile'
import {
  changePrescriptionFields,
  getPrescriptionFields,
} from '@bancone/contract/prescription-fields'
import type { Database } from '../database/database.ts'
import { lockPharmacy } from '../database/row-limit.ts'
import type { ImagesService } from '../features/images/images.service.ts'
import { createImagesStore } from '../features/images/images.store.ts'
import { createPharmaciesStore } from '../features/pharmacies/pharmacies.store.ts'
import {
  createPharmacyProfiles,
  type PharmacyProfiles,
  type ProfileWriting,
} from '../features/pharmacy-profile/pharmacy-profile.service.ts'
import { createPharmacyProfileStore } from '../features/pharmacy-profile/pharmacy-profile.store.ts'
import type { AppModule } from '../http/app-module.ts'
import { createAudit } from '../platform/audit.ts'

type Dependencies = { db: Database; images: Pick<ImagesService, 'upload'> }

/** Wires the profiles of pharmacies. */
export function wirePharmacyProfile({ db, images }: Dependencies): AppModule & {
  profiles: PharmacyProfiles
} {
  const profiles = createPharmacyProfiles({
    store: createPharmacyProfileStore(db),
    write: (pharmacyId, work) =>
      db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        return work(writingIn(tx))
      }),
    uploadPicture: images.upload,
  })
  return {
    profiles,
    routes({ serve, serveUpload }) {
      serve(getOwnProfile, (_input, { pharmacy }) => profiles.get(pharmacy.id))

      serve(changeOwnProfile, ({ body }, { pharmacy }) => profiles.change(pharmacy.id, body))

      serve(getPharmacyProfile, ({ params }) => profiles.get(params.pharmacyId))

      serve(changePharmacyProfile, ({ params, body }) => profiles.change(params.pharmacyId, body))

      serve(getPrescriptionFields, async (_input, { pharmacy }) => ({
        isOn: await profiles.hasPrescriptionFields(pharmacy.id),
      }))

      serve(changePrescriptionFields, ({ body }, { pharmacy }) =>
        profiles.changePrescriptionFields(pharmacy.id, body.termsVersion),
      )

      serveUpload(uploadPharmacyLogo, ({ params }, _session, upload, call) =>
        profiles.upload(params.pharmacyId, upload, call.signal),
      )
    },
  }
}

function writingIn(tx: Database): ProfileWriting {
  return {
    profiles: createPharmacyProfileStore(tx),
    holdPicture: createImagesStore(tx).hold,
    setLogo: createPharmaciesStore(tx).setLogo,
    record: (action, pharmacyId, before, after) =>
      createAudit(tx).recordChange(tx, {
        action,
        pharmacyId,
        target: { type: 'pharmacy', id: pharmacyId },
        before,
        after,
      }),
  }
}
