// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'the running server cannot change or delete audit events',
    file: 'server/src/database/runtime-role.ts',
    find: 'revoke insert, update, delete on audit_events, audit_seals, audit_unsealed from ${role};',
    replace: '',
    tests: ['server/src/database/runtime-role.test.ts'],
  },
  {
    name: 'an offer and its audit event are written in one transaction',
    file: 'server/src/wiring-offers.ts',
    find: 'recordChange: (change) => audit.recordChange(tx, change)',
    replace: 'recordChange: async () => {}',
    tests: ['server/src/features/audit/audit.test.ts'],
  },
  {
    name: 'refusals are recorded',
    file: 'server/src/app.ts',
    find: 'auditRequests(app, audit)',
    replace: '',
    tests: ['server/src/features/audit/audit.test.ts'],
  },
  {
    name: 'what is refused in a support visit is recorded',
    file: 'server/src/http/serve.ts',
    find: `
  noteActor(request, { id: account.userId, role: 'admin', pharmacyId })`,
    replace: '',
    tests: ['server/src/features/support/support-visits.test.ts'],
  },
  {
    name: 'refusals of one actor do not fill the audit log',
    file: 'server/src/http/audit-requests.ts',
    find: "await recorded.consume(actor.id ?? 'key')",
    replace: '',
    tests: ['server/src/features/audit/audit.test.ts'],
  },
  {
    name: "what was not found is not recorded in the caller's own log",
    file: 'server/src/http/audit-requests.ts',
    find: 'error.status === 404 ? null : targetOf(request)',
    replace: 'targetOf(request)',
    tests: ['server/test/other-pharmacy.test.ts'],
  },
  {
    name: 'secrets and personal data are not recorded',
    file: 'server/src/platform/audit-changes.ts',
    find: 'WITHHELD.test(field) ||',
    replace: '',
    tests: ['server/src/platform/audit-changes.test.ts'],
  },
  {
    name: 'an altered audit event breaks the chain',
    file: 'server/src/database/migrations/0014_audit.sql',
    find: 'elsif seal.hash <> audit_hash(hash, event) then',
    replace: 'elsif false then',
    tests: ['server/src/platform/audit-chain.test.ts'],
  },
  {
    name: 'a deleted audit event breaks the chain',
    file: 'server/src/database/migrations/0014_audit.sql',
    find: "if last is not null or seal.sealed_at > now() - interval '24 months' then",
    replace: 'if false then',
    tests: ['server/src/platform/audit-chain.test.ts'],
  },
  {
    name: 'the audit log of a pharmacy is its own',
    file: 'server/src/features/audit/audit.service.ts',
    find: 'page({ pharmacy: pharmacyId }, before)',
    replace: 'page({}, before)',
    tests: ['server/src/features/audit/audit.test.ts'],
  },
  {
    name: 'pharmacies do not see the names of administrators',
    file: 'server/src/features/audit/audit.service.ts',
    find: 'actorName: isMember ? (row.memberName ?? row.pharmacyName) : null',
    replace: 'actorName: row.memberName ?? row.email',
    tests: ['server/src/features/audit/audit.test.ts'],
  },
  {
    name: 'a cell of the audit file that a spreadsheet would take for a formula is made text',
    file: 'server/src/features/audit/audit-csv.ts',
    find: "spreadsheetText(of(event) ?? '')",
    replace: "of(event) ?? ''",
    tests: ['server/src/features/audit/audit.test.ts'],
  },
]
