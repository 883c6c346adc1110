import type { Endpoint } from '@bancone/contract/endpoint'
import { errorStatus } from '@bancone/contract/errors'
import { type AuthCall, authCallNames, authOutcome } from './access-auth-rules.ts'
import { roleNames, roles } from './access-roles.ts'
import { guardCodes, type Outcome, outcome } from './access-rules.ts'

/** The short marks of outcomes in the tables. */
const marks: Record<string, string> = {
  'let in': '●',
  'session.missing': '–',
  'session.unknown_user': 'U',
  'session.second_factor_needed': 'F',
  'session.enrolment_needed': 'E',
  'access.denied': 'N',
  'access.owners_only': 'O',
  'pharmacy.not_found': 'P',
  'pharmacy.inactive': 'C',
}

function markOf(expected: Outcome): string {
  const mark = marks[expected]
  if (!mark) throw new Error(`${expected} has no mark`)
  return mark
}

const introduction = `# Who may call

Rows are the endpoints of the contract, columns the kinds of callers. \`server/test/access.test.ts\` writes this page from
the rules in \`server/test/access-rules.ts\`, and checks every cell with a request to the real server. After a change of
the contract write it again: \`npx vitest run --project server access.test -u\`.`

const ofProtocol = `## Calls of \`/auth/v1\`

The protocol's own calls by the same callers, checked by \`server/test/access-auth.test.ts\`. A server with
\`AUTH_ADMIN_KEY\` is let in where an administrator is, unless it is a browser.`

/** The text of `docs/access.md`: the expected outcomes of every endpoint. */
export function accessDocument(endpoints: readonly Endpoint[]): string {
  return [
    introduction,
    tableOf(['mark', 'meaning'], meanings()),
    roleNames.map((role, at) => `${at + 1}. ${role}`).join('\n'),
    tableOf(rolesHead, endpoints.map(rowOf)),
    ofProtocol,
    tableOf(['mark', 'meaning'], authMeanings),
    `${tableOf(rolesHead, authRows())}\n`,
  ].join('\n\n')
}

const rolesHead = ['', 'for', ...roleNames.map((_role, at) => String(at + 1))]

function meanings(): string[][] {
  const refusals = guardCodes.map((code) => [markOf(code), `${errorStatus(code)} \`${code}\``])
  return [[markOf('let in'), 'let in'], ...refusals]
}

function rowOf(endpoint: Endpoint): string[] {
  return [
    nameOf(endpoint),
    guardOf(endpoint),
    ...roleNames.map((role) => markOf(outcome(endpoint, roles[role]))),
  ]
}

const authMarks: Record<string, string> = {
  'let in': '●',
  no_authorization: '–',
  bad_jwt: 'T',
  session_not_found: 'S',
  insufficient_aal: 'F',
  not_admin: 'N',
  reauthentication_needed: 'R',
}
const authMeanings = Object.entries(authMarks).map(([meaning, mark]) => [mark, meaning])

function authRows(): string[][] {
  return authCallNames.map(([name, call]) => [
    `\`${name}\``,
    needsOf(call),
    ...roleNames.map((role) => {
      const expected = authOutcome(call, roles[role])
      return authMarks[expected.replace(/^\d+ /, '')] ?? expected
    }),
  ])
}

function needsOf({ needs, fresh }: AuthCall): string {
  const proof = fresh ? ', authenticated within 24 hours' : ''
  if (needs === 'nothing') return 'public'
  return (typeof needs === 'string' ? needs : `the second factor, else ${needs.level}`) + proof
}

function nameOf({ method, path, requiredQuery }: Endpoint): string {
  const query = requiredQuery ? `?${new URLSearchParams(requiredQuery).toString()}` : ''
  return `\`${method} ${path}${query}\``
}

function guardOf({ access, role, feature, supportSession }: Endpoint): string {
  const support = supportSession && `support ${supportSession}`
  return [access, role, feature, support].filter((part) => part !== undefined).join(', ')
}

/** Pads the columns, as the repository's formatter expects. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, at) => Math.max(3, ...all.map((cells) => cells[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
