import {
  changeOwnProfile,
  changePharmacyProfile,
  getOwnProfile,
  getPharmacyProfile,
  uploadPharmacyLogo,
} from '@bancone/contract/pharmacy-profile'
import type { Serve } from '../../http/serve.ts'
import type { ServeUpload } from '../../http/serve-upload.ts'
import type { PharmacyProfiles } from './pharmacy-profile.service.ts'

export function pharmacyProfileRoutes(
  serve: Serve,
  serveUpload: ServeUpload,
  profiles: PharmacyProfiles,
) {
  serve(getOwnProfile, (_input, { pharmacy }) => profiles.get(pharmacy.id))

  serve(changeOwnProfile, ({ body }, { pharmacy }) => profiles.change(pharmacy.id, body))

  serve(getPharmacyProfile, ({ params }) => profiles.get(params.pharmacyId))

  serve(changePharmacyProfile, ({ params, body }) => profiles.change(params.pharmacyId, body))

  serveUpload(uploadPharmacyLogo, ({ params }, _session, upload, call) =>
    profiles.upload(params.pharmacyId, upload, call.signal),
  )
}
