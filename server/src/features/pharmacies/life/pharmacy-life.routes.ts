import {
  downloadPharmacyExport,
  getPharmacyExport,
  listDeletedPharmacies,
  purgePharmacy,
  restorePharmacy,
  startPharmacyExport,
} from '@bancone/contract/pharmacy-life'
import type { Serve, ServeFile } from '../../../http/serve.ts'
import type { PharmacyLife } from './pharmacy-life.service.ts'

export function pharmacyLifeRoutes(serve: Serve, serveFile: ServeFile, life: PharmacyLife) {
  serve(listDeletedPharmacies, () => life.list())

  serve(restorePharmacy, async ({ params }) => {
    await life.restore(params.pharmacyId)
    return {}
  })

  serve(purgePharmacy, async ({ params, body }, session) => {
    await life.purge(params.pharmacyId, body.code, session)
    return {}
  })

  serve(startPharmacyExport, ({ params }) => life.startExport(params.pharmacyId))

  serve(getPharmacyExport, ({ params }) => life.findExport(params.exportId))

  serveFile(downloadPharmacyExport, ({ params }, session) =>
    life.takeExport(params.exportId, session),
  )
}
