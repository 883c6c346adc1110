import {
  AUDIT_PAGE_SIZE,
  AuditEvent,
  type AuditFilter,
  AuditRole,
  PharmacyAuditEvent,
} from '@bancone/contract/audit'
import { dayOf } from '@bancone/contract/dates'
import { z } from 'zod'
import type { ServedFile } from '../../http/serve.ts'
import type { Audit } from '../../platform/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import { shownChanges, shownDetails } from './audit.rules.ts'
import { auditCsv } from './audit-csv.ts'
import type { AuditEventsStore, AuditRow } from './audit-events.store.ts'

/** Events per query of a download. */
const PORTION = 1_000

type Dependencies = {
  store: AuditEventsStore
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** The audit log: all of it for administrators, and a pharmacy's own part for its owners. */
export function createAuditService({ store, audit, clock }: Dependencies) {
  async function page(filter: AuditFilter, before: string | undefined) {
    const rows = await store.page(filter, { before, limit: AUDIT_PAGE_SIZE + 1 })
    return { rows: rows.slice(0, AUDIT_PAGE_SIZE), hasMore: rows.length > AUDIT_PAGE_SIZE }
  }

  async function* portions(filter: AuditFilter): AsyncGenerator<AuditEvent[]> {
    let before: string | undefined
    for (;;) {
      const rows = await store.page(filter, { before, limit: PORTION })
      yield rows.map(adminEvent)
      before = rows.at(-1)?.id
      if (rows.length < PORTION) return
    }
  }

  return {
    async list({ before, ...filter }: AuditFilter & { before?: string | undefined }) {
      const { rows, hasMore } = await page(filter, before)
      return { events: rows.map(adminEvent), hasMore, check: await store.lastCheck() }
    },

    async subjects(pharmacyId: string | undefined) {
      return { pharmacies: await store.pharmacies(), people: await store.people(pharmacyId) }
    },

    /** The download is recorded when the file is opened. */
    async file(filter: AuditFilter): Promise<ServedFile> {
      return {
        name: `registro-${dayOf(clock.now())}.csv`,
        type: 'text/csv; charset=utf-8',
        async open() {
          await audit.record({
            action: 'audit_downloaded',
            userId: null,
            pharmacyId: filter.pharmacy ?? null,
          })
          return { parts: auditCsv(portions(filter)), signal: new AbortController().signal }
        },
      }
    },

    async ofPharmacy(pharmacyId: string, before: string | undefined) {
      const { rows, hasMore } = await page({ pharmacy: pharmacyId }, before)
      return { events: rows.map(pharmacyEvent), hasMore }
    },
  }
}

/** What administrators and owners are both shown. */
function eventOf(row: AuditRow) {
  const { refusal, details } = shownDetails(row.details)
  return {
    ...row,
    refusal,
    // Events of API keys have the id of their target here, too.
    details: details.filter(({ value }) => !row.target?.endsWith(`:${value}`)),
    role: z.nullable(AuditRole).parse(row.role),
    changes: shownChanges(row.changes),
  }
}

function adminEvent(row: AuditRow): AuditEvent {
  const { personId, pharmacyId, pharmacyCode: code, pharmacyName, memberName, email } = row
  return AuditEvent.parse({
    ...eventOf(row),
    actor: personId && { id: personId, name: memberName ?? email },
    pharmacy: pharmacyId && { id: pharmacyId, code, name: pharmacyName },
  })
}

/** Administrators have no name for pharmacies. */
function pharmacyEvent(row: AuditRow): PharmacyAuditEvent {
  const isMember = row.role === 'owner' || row.role === 'staff'
  return PharmacyAuditEvent.parse({
    ...eventOf(row),
    actorName: isMember ? (row.memberName ?? row.pharmacyName) : null,
  })
}
