import { z } from 'zod/mini'
import type { AuditAction } from './audit-actions.ts'
import { auditActions } from './audit-actions.ts'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'

/** Whose the action was. `system`: a job or a command. Null for what concerns an account alone, such as a sign-in. */
export const AuditRole = z.enum(['admin', 'owner', 'staff', 'key', 'system'])
export type AuditRole = z.infer<typeof AuditRole>

export const AuditOutcome = z.enum(['done', 'refused'])
export type AuditOutcome = z.infer<typeof AuditOutcome>

/** A field that changed, with its values as text; null for no value. */
export const AuditChange = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** Whether only the fact was recorded, because the values are secret, personal or long. */
  isWithheld: z.boolean(),
})
export type AuditChange = z.infer<typeof AuditChange>

const event = {
  /** Increases with time. */
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** An `AuditAction`, or an id of an older version. */
  action: z.string(),
  outcome: AuditOutcome,
  /** Why it was refused: an error code. */
  refusal: z.nullable(z.string()),
  role: z.nullable(AuditRole),
  /** The type and id of what was changed, `offer:…`. */
  target: z.nullable(z.string()),
  changes: z.array(AuditChange),
  /** Other recorded values, as text. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
}

/** An event as administrators see it. */
export const AuditEvent = z.object({
  ...event,
  /** The actor; the name is null when the account does not exist any more. */
  actor: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** The pharmacy for which it was done; its name is null when it was purged. */
  pharmacy: z.nullable(
    z.object({ id: z.string(), code: z.nullable(z.string()), name: z.nullable(z.string()) }),
  ),
  requestId: z.nullable(z.string()),
  address: z.nullable(z.string()),
})
export type AuditEvent = z.infer<typeof AuditEvent>

// Object.keys returns string[].
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const actionIds = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

/** What narrows the log. Days are those of Rome, both included. */
export const AuditFilter = z.object({
  pharmacy: z.optional(z.uuid()),
  /** The id of the actor. */
  person: z.optional(z.uuid()),
  action: z.optional(z.enum(actionIds)),
  outcome: z.optional(AuditOutcome),
  from: z.optional(Day),
  to: z.optional(Day),
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const AUDIT_PAGE_SIZE = 50

/** A cursor: the id of the last event that the caller has. The response holds older events. */
const Before = z.optional(z.string().check(z.regex(/^\d{1,18}$/)))

export const listAuditEvents = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'List the audit log, newest first',
  access: 'admin',
  query: z.extend(AuditFilter, { before: Before }),
  response: z.object({
    events: z.array(AuditEvent),
    hasMore: z.boolean(),
    /** The result of the last check of the chain of hashes; null before the first one. */
    check: z.nullable(z.object({ at: z.string(), isIntact: z.boolean() })),
  }),
  errors: [],
})

/** The people and pharmacies to choose from: the people of the pharmacy, and the administrators. */
export const listAuditSubjects = endpoint({
  method: 'GET',
  path: '/api/admin/audit/subjects',
  summary: 'List the people and pharmacies that the audit log can be filtered by',
  access: 'admin',
  query: z.pick(AuditFilter, { pharmacy: true }),
  response: z.object({
    pharmacies: z.array(z.object({ id: z.string(), code: z.string(), name: z.string() })),
    people: z.array(z.object({ id: z.string(), name: z.string(), isAdmin: z.boolean() })),
  }),
  errors: [],
})

/** For the Italian Excel: separated by semicolons, in UTF-8 with a byte order mark. The download is recorded, too. */
export const downloadAuditEvents = endpoint({
  method: 'GET',
  path: '/api/admin/audit/file',
  summary: 'Download the audit log as CSV',
  access: 'admin',
  query: AuditFilter,
  response: z.string().check(z.meta({ contentMediaType: 'text/csv' })),
  errors: [],
})

/** An event as the pharmacy's owners see it. Of administrators it has neither the id nor the name. */
export const PharmacyAuditEvent = z.object({
  ...event,
  /** Null for administrators, the system, and accounts that do not exist any more. */
  actorName: z.nullable(z.string()),
})
export type PharmacyAuditEvent = z.infer<typeof PharmacyAuditEvent>

export const listPharmacyAudit = endpoint({
  method: 'GET',
  path: '/api/pharmacy/audit',
  summary: 'List what was done for the own pharmacy, newest first',
  access: 'pharmacy',
  role: 'owner',
  query: z.object({ before: Before }),
  response: z.object({ events: z.array(PharmacyAuditEvent), hasMore: z.boolean() }),
  errors: [],
})
