import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Log } from '../ports/log.ts'
import { createAudit } from './audit.ts'
import type { Tasks } from './jobs.ts'

export const AUDIT_CHECK_TASK = 'check-audit-chain'

const SEAL_EVERY_MS = 60_000

/** Events per statement, so that none takes long. */
const PORTION = 5_000

type Part = { last: string | null; hash: Buffer; compared: number; broken: string | null }

/** Appends new events of the audit log to its chain of hashes. */
export async function sealAuditEvents(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ sealed: number }>`
      select seal_audit_events(${PORTION}) as sealed`.execute(db)
    if ((rows[0]?.sealed ?? 0) < PORTION) return
  }
}

/** Compares the whole chain with the events. `broken`: the id of the first event that was changed or is missing. */
async function checkChain(db: Database) {
  let part: Part = { last: null, hash: Buffer.alloc(0), compared: 0, broken: null }
  let compared = 0
  do {
    const { rows } = await sql<Part>`
      select * from check_audit_seals(${part.last}, ${part.hash}, ${PORTION})`.execute(db)
    const [next] = rows
    if (!next) break
    part = next
    compared += part.compared
  } while (part.broken === null && part.compared === PORTION)
  const { rows: missing } = await sql<{ id: string }>`
    select event_id as id from audit_unsealed
    where not exists (select from audit_events where id = event_id) limit 1`.execute(db)
  return {
    compared,
    head: part.hash.toString('hex'),
    broken: part.broken ?? missing[0]?.id ?? null,
  }
}

/** Seals the audit log every minute, and checks it every day. The result of a check is an event itself. */
export function auditChain(db: Database, log: Log): { start(): void; close(): void; tasks: Tasks } {
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      timer = setInterval(() => {
        sealAuditEvents(db).catch((err: unknown) => log.warn({ err }, 'audit events wait'))
      }, SEAL_EVERY_MS)
      timer.unref()
    },
    close: () => clearInterval(timer),
    tasks: {
      [AUDIT_CHECK_TASK]: {
        lane: 'maintenance',
        async run() {
          await sealAuditEvents(db)
          const { compared, head, broken } = await checkChain(db)
          // The head in the log proves later that no end of the chain was cut off.
          if (broken === null) log.info({ compared, head }, 'audit log checked')
          else log.error({ compared, event: broken }, 'the audit log was altered')
          await createAudit(db).record({
            action: broken === null ? 'audit_chain_checked' : 'audit_chain_broken',
            userId: null,
            role: 'system',
            details: { events: compared, ...(broken !== null && { event: broken }) },
          })
        },
      },
    },
  }
}
