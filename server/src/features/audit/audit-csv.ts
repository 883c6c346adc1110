import type { AuditEvent } from '@bancone/contract/audit'
import {
  auditActionName,
  auditDetailText,
  auditFieldName,
  auditRoleNames,
} from '@bancone/contract/audit-actions'
import { ROME } from '@bancone/contract/dates'
import { errorTextOf } from '@bancone/contract/errors'
import { excelCsv, spreadsheetText } from '../../platform/csv.ts'

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
export async function* auditCsv(
  portions: AsyncIterable<readonly AuditEvent[]>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  yield stringify([columns.map(({ label }) => label)], { ...excelCsv, bom: true })
  for await (const events of portions) {
    const rows = events.map((event) => columns.map(({ of }) => spreadsheetText(of(event) ?? '')))
    if (rows.length > 0) yield stringify(rows, excelCsv)
  }
}
