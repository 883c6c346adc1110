import {
  downloadAuditEvents,
  listAuditEvents,
  listAuditSubjects,
  listPharmacyAudit,
} from '@bancone/contract/audit'
import type { Http } from '../../app-module.ts'
import type { AuditService } from './audit.service.ts'

export function auditRoutes({ serve, serveFile }: Http, audit: AuditService) {
  serve(listAuditEvents, ({ query }) => audit.list(query))

  serve(listAuditSubjects, ({ query }) => audit.subjects(query.pharmacy))

  serveFile(downloadAuditEvents, ({ query }) => audit.file(query))

  serve(listPharmacyAudit, ({ query }, session) =>
    audit.ofPharmacy(session.pharmacy.id, query.before),
  )
}
