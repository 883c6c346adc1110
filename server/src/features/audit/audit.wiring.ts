import {
  downloadAuditEvents,
  listAuditEvents,
  listAuditSubjects,
  listPharmacyAudit,
} from '@bancone/contract/audit'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import { createAuditService } from './audit.service.ts'
import { createAuditEventsStore } from './audit-events.store.ts'

/** Wires the audit log's lists and download. Events are written by `platform/audit.ts`. */
export function wireAudit({ db, clock }: { db: Database; clock: Clock }): AppModule {
  const audit = createAuditService({
    store: createAuditEventsStore(db),
    audit: createAudit(db),
    clock,
  })
  return {
    routes({ serve, serveFile }) {
      serve(listAuditEvents, ({ query }) => audit.list(query))

      serve(listAuditSubjects, ({ query }) => audit.subjects(query.pharmacy))

      serveFile(downloadAuditEvents, ({ query }) => audit.file(query))

      serve(listPharmacyAudit, ({ query }, session) =>
        audit.ofPharmacy(session.pharmacy.id, query.before),
      )
    },
  }
}
