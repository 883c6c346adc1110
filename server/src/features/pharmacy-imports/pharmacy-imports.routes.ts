import {
  cancelPharmacyImport,
  downloadImportTemplate,
  downloadRefusedRows,
  getPharmacyImport,
  listImportRows,
  listPharmacyImports,
  startPharmacyImport,
  uploadPharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import type { Http } from '../../app-module.ts'
import { callerFrom } from '../../platform/auth/protocol.ts'
import { currentRequest } from '../../platform/request-context.ts'
import type { PharmacyImports } from './pharmacy-imports.service.ts'

type Serving = Pick<Http, 'serve' | 'serveFile' | 'serveUpload'>

export function pharmacyImportRoutes(
  { serve, serveFile, serveUpload }: Serving,
  imports: PharmacyImports,
) {
  serveUpload(uploadPharmacyImport, (_input, { userId }, upload) => imports.check(userId, upload))

  serve(listPharmacyImports, async () => ({ imports: await imports.latest() }))

  serve(getPharmacyImport, ({ params }) => imports.find(params.importId))

  serve(listImportRows, ({ params, query }) => imports.rows(params.importId, query))

  serve(startPharmacyImport, ({ params }, { userId }, call) => {
    const requestId = currentRequest()?.requestId ?? ''
    return imports.start(params.importId, {
      userId,
      context: { requestId, ...callerFrom(call) },
    })
  })

  serve(cancelPharmacyImport, async ({ params }) => {
    await imports.cancel(params.importId)
    return {}
  })

  serveFile(downloadRefusedRows, ({ params }) => imports.refusedFile(params.importId))

  serveFile(downloadImportTemplate, () => imports.template())
}
