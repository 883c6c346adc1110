import {
  AUDIT_PAGE_SIZE,
  type AuditChange,
  AuditEvent,
  type AuditFilter,
  AuditRole,
  PharmacyAuditEvent,
} from '@bancone/contract/audit'
import {
  auditActionName,
  auditDetailText,
  auditFieldName,
  auditRoleNames,
} from '@bancone/contract/audit-actions'
import { dayOf, ROME } from '@bancone/contract/dates'
import { errorTextOf } from '@bancone/contract/errors'
import { featureNames } from '@bancone/contract/feature-names'
import { z } from 'zod'
import type { ServedFile } from '../../http/serve.ts'
import type { Audit } from '../../platform/audit.ts'
import { excelCsv, spreadsheetText } from '../../platform/csv.ts'
import type { Clock } from '../../ports/clock.ts'
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

const Changes = z
  .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }).nullable())
  .nullable()
  .catch(null)

const FEATURE_FIELDS: ReadonlySet<string> = new Set(['features', 'features_enabled'])
const featureTexts: ReadonlyMap<unknown, string> = new Map(Object.entries(featureNames))

/** The changes of a row of the audit log, by field. @param stored the column `changes` */
function shownChanges(stored: unknown): AuditChange[] {
  return Object.entries(Changes.parse(stored) ?? {}).map(([field, values]) => ({
    field,
    before: valueText(named(field, values?.before)),
    after: valueText(named(field, values?.after)),
    isWithheld: values === null,
  }))
}

const Details = z.record(z.string(), z.unknown()).catch({})

/** The other recorded values of a row. The code of a refusal is shown by itself. @param stored the column `details` */
function shownDetails(stored: unknown): {
  refusal: string | null
  details: { name: string; value: string }[]
} {
  const { code, ...others } = Details.parse(stored)
  // Offers have a code, too.
  const isRefusal = typeof code === 'string' && /^[a-z_]+\.[a-z_]+$/.test(code)
  const values = isRefusal ? others : { ...others, ...(code !== undefined && { code }) }
  const details = Object.entries(values).flatMap(([name, value]) => {
    const text = valueText(value)
    return text === null ? [] : [{ name, value: text }]
  })
  return { refusal: isRefusal ? code : null, details }
}

/** Features by their names. */
function named(field: string, value: unknown): unknown {
  if (!FEATURE_FIELDS.has(field) || !Array.isArray(value)) return value
  return value.map((id: unknown) => featureTexts.get(id) ?? id)
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 'sì' : 'no'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item) => valueText(item) ?? '').join(', ')
  return JSON.stringify(value)
}

const time = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

const columns: readonly { label: string; of(event: AuditEvent): string | null }[] = [
  { label: 'Data e ora', of: ({ at }) => time.format(new Date(at)).replace(',', '') },
  { label: 'Azione', of: ({ action }) => auditActionName(action) },
  { label: 'Esito', of: ({ outcome }) => (outcome === 'done' ? 'Eseguita' : 'Respinta') },
  { label: 'Motivo', of: ({ refusal }) => refusal && errorTextOf(refusal) },
  { label: 'Persona', of: ({ actor }) => actor && (actor.name ?? actor.id) },
  { label: 'Ruolo', of: ({ role }) => role && auditRoleNames[role] },
  { label: 'Codice farmacia', of: ({ pharmacy }) => pharmacy && (pharmacy.code ?? pharmacy.id) },
  { label: 'Farmacia', of: ({ pharmacy }) => pharmacy && pharmacy.name },
  { label: 'Oggetto', of: ({ target }) => target },
  { label: 'Modifiche', of: ({ changes }) => changes.map(changeText).join('; ') },
  {
    label: 'Dettagli',
    of: ({ details }) =>
      details
        .map(auditDetailText)
        .map(({ name, value }) => `${name}: ${value}`)
        .join('; '),
  },
  { label: 'Richiesta', of: ({ requestId }) => requestId },
  { label: 'Indirizzo IP', of: ({ address }) => address },
]

function changeText({ field, before, after, isWithheld }: AuditEvent['changes'][number]): string {
  const name = auditFieldName(field)
  return isWithheld ? `${name}: modificato` : `${name}: ${before ?? '—'} → ${after ?? '—'}`
}

/** A CSV file for the Italian version of Excel. Yields chunks. */
async function* auditCsv(portions: AsyncIterable<readonly AuditEvent[]>): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  yield stringify([columns.map(({ label }) => label)], { ...excelCsv, bom: true })
  for await (const events of portions) {
    const rows = events.map((event) => columns.map(({ of }) => spreadsheetText(of(event) ?? '')))
    if (rows.length > 0) yield stringify(rows, excelCsv)
  }
}
