import {
  downloadPharmacyExport,
  getPharmacyExport,
  listDeletedPharmacies,
  purgePharmacy,
  restorePharmacy,
  startPharmacyExport,
} from '@bancone/contract/pharmacy-life'
import type { AdminSession, CallContext, Serve, ServeFile } from '../../../http/serve.ts'
import { callerFrom } from '../../../platform/auth/protocol.ts'
import type { Administrator, PharmacyLife } from './pharmacy-life.service.ts'

export function pharmacyLifeRoutes(serve: Serve, serveFile: ServeFile, life: PharmacyLife) {
  serve(listDeletedPharmacies, () => life.list())

  serve(restorePharmacy, async ({ params }, session, call) => {
    await life.restore(params.pharmacyId, administrator(session, call))
    return {}
  })

  serve(purgePharmacy, async ({ params, body }, session, call) => {
    await life.purge(params.pharmacyId, body.code, administrator(session, call))
    return {}
  })

  serve(startPharmacyExport, ({ params }, session, call) =>
    life.startExport(params.pharmacyId, administrator(session, call)),
  )

  serve(getPharmacyExport, ({ params }) => life.findExport(params.exportId))

  serveFile(downloadPharmacyExport, ({ params }, session, call) =>
    life.takeExport(params.exportId, administrator(session, call)),
  )
}

function administrator({ userId, sessionId }: AdminSession, call: CallContext): Administrator {
  return { actorId: userId, sessionId, ...callerFrom(call) }
}
