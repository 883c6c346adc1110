import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isRefusedValue } from '../../../database/errors.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { linkCreatedOrders } from '../creation/order-creations.store.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { type UpsertOptions, upsertOrders } from '../records/order-upsert.store.ts'
import { storedStatus } from '../records/orders.rules.ts'
import { type CopiedOrder, canonicalOfSource, differencesOf } from './canonical-order.ts'
import { addFinding, type Verdict, verdictOf } from './migration-findings.rules.ts'
import { copiedByIds, type Item, putItems, type RunKey } from './migration-records.store.ts'
import type { ClaimedRun, MigrationWorkStore } from './migration-work.store.ts'

/** An order, with the columns whose values cannot be read. */
type PageOrder = SourceOrder & { unreadable?: string[] }

/** A record of a page: an order, or why it is refused. */
export type PageRecord = PageOrder | (Omit<Item, 'kind'> & { kind: 'refused' })

type Writing = Omit<UpsertOptions, 'rewrites'>

type RecordRow = {
  record_id: string
  hash: string | null
  columns: string | null
  month: string | null
  order_number: string | null
}

/** Compares batches of records with the copy, and writes them. The only writer of `migration_records`. */
export function createMigrationBatchesStore(
  db: Database,
  hooks: OrderHooks,
  work: Pick<MigrationWorkStore, 'advance'>,
) {
  /** @returns whether the run has been cancelled */
  async function saveTogether(
    run: ClaimedRun,
    batch: readonly PageRecord[],
    cursor: string | null,
    writing: Writing,
  ): Promise<boolean> {
    const { pharmacyId, mode } = run
    const all = batch.filter(isOrder)
    // In separate transactions, since each locks one order before the batch is locked.
    if (mode === 'full') await linkCreatedOrders(db, hooks, pharmacyId, all)
    // Copied, so that a transaction that fails leaves the run as it was.
    const next = { ...structuredClone({ ...run }), cursor: cursor ?? run.cursor }
    const isCancelled = await db.transaction().execute(async (tx) => {
      const copied = await copiedByIds(
        tx,
        pharmacyId,
        all.map(({ recordId }) => recordId),
      )
      // A blank row is no order, and nothing to compare.
      const records = batch.filter(
        (record) => !isOrder(record) || !record.isBlank || copied.has(record.recordId),
      )
      const fresh = await addRecords(tx, run, records, copied)
      const orders = all.filter(({ recordId }) => fresh.has(recordId))
      const refused = batch.filter(
        (record): record is Exclude<PageRecord, PageOrder> =>
          'kind' in record && fresh.has(record.recordId),
      )
      const toFix = orders.flatMap(({ recordId, orderNumber, unreadable: columns }): Item[] =>
        columns ? [{ recordId, orderNumber, kind: 'refused', columns, reason: 'cells' }] : [],
      )
      const conflicts: Item[] = []
      const toWrite: SourceOrder[] = []
      for (const order of orders) {
        const copy = copied.get(order.recordId)
        const columns = copy ? differencesOf(order, copy) : []
        const verdict = verdictOf(run.phase, copy, columns)
        count(next, verdict, order, columns)
        if (verdict === 'new' || verdict === 'changed') toWrite.push(order)
        if (verdict === 'conflict') {
          const { recordId, orderNumber } = order
          const reason = run.phase === 'retired' ? 'retired' : 'waiting_change'
          conflicts.push({ recordId, orderNumber, kind: 'conflict', columns, reason })
        }
      }
      next.counts.read += orders.length + refused.length
      next.counts.refused += refused.length
      next.counts.toFix += toFix.length
      const write = () =>
        upsertOrders(tx, hooks, pharmacyId, toWrite, { ...writing, rewrites: true })
      if (mode === 'full') await write()
      if (mode === 'dry_run') await undone(tx, write)
      const isWriting = mode === 'full' || mode === 'dry_run'
      await putItems(tx, run, [...refused, ...toFix, ...(isWriting ? conflicts : [])])
      return work.advance(tx, next)
    })
    Object.assign(run, { counts: next.counts, findings: next.findings, cursor: next.cursor })
    return isCancelled
  }

  return {
    /**
     * Does a batch in one transaction with the progress of the run, whose counts and findings are updated. Records that
     * were done before are left out. Of a batch that PostgreSQL refuses each half is done by itself; a single record
     * that it refuses counts as refused.
     *
     * @param cursor where the run continues after this batch; null where the table is not read in an order
     * @returns whether the run has been cancelled
     * @throws RunError `lost`: nothing was written
     */
    async save(
      run: ClaimedRun,
      batch: readonly PageRecord[],
      cursor: string | null,
      writing: Writing,
    ): Promise<boolean> {
      try {
        return await saveTogether(run, batch, cursor, writing)
      } catch (error) {
        const [only] = batch
        if (!isRefusedValue(error) || !only) throw error
        if (batch.length === 1) {
          if (!isOrder(only)) throw error
          return saveTogether(run, [refusedRecord(only)], cursor, writing)
        }
      }
      const middle = Math.ceil(batch.length / 2)
      if (await this.save(run, batch.slice(0, middle), null, writing)) return true
      return this.save(run, batch.slice(middle), cursor, writing)
    },
  }
}

function isOrder(record: PageRecord): record is PageOrder {
  return !('kind' in record)
}

/** Its number, which may be what is refused, is left out. */
function refusedRecord({ recordId }: SourceOrder): PageRecord {
  return { recordId, orderNumber: null, kind: 'refused', columns: [], reason: 'not_stored' }
}

/** Writes and undoes it, to find out what PostgreSQL refuses. @param tx a transaction */
async function undone(tx: Database, write: () => Promise<unknown>): Promise<void> {
  await sql`savepoint dry_run`.execute(tx)
  await write()
  await sql`rollback to savepoint dry_run`.execute(tx)
}

function count(run: ClaimedRun, verdict: Verdict, order: SourceOrder, columns: string[]): void {
  const { counts } = run
  if (verdict === 'conflict') counts.conflicts += 1
  else counts[verdict] += 1
  if (order.image) counts.images += 1
  const { recordId, orderNumber, customerName, image } = order
  const status = storedStatus(order)
  addFinding(
    run.findings,
    verdict,
    { recordId, orderNumber, customerName, status, imageBytes: image?.bytes },
    columns,
  )
}

/** @returns the ids of the records that the run had not done yet */
async function addRecords(
  tx: Database,
  { id, pharmacyId }: RunKey,
  batch: readonly PageRecord[],
  copied: ReadonlyMap<string, CopiedOrder>,
): Promise<Set<string>> {
  const rows = new Map(
    batch.map((record) => [record.recordId, recordRow(record, copied.get(record.recordId))]),
  )
  const { rows: added } = await sql<{ record_id: string }>`
    insert into migration_records (pharmacy_id, run_id, record_id, hash, columns, month, order_number)
    select ${pharmacyId}::uuid, ${id}::uuid, record_id, hash, columns, month, order_number
    from jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb)
      as (record_id text, hash bytea, columns bytea, month text, order_number text)
    on conflict do nothing
    returning record_id
  `.execute(tx)
  return new Set(added.map(({ record_id }) => record_id))
}

function recordRow(record: PageRecord, copy: CopiedOrder | undefined): RecordRow {
  const { recordId, orderNumber } = record
  if ('kind' in record) {
    return { record_id: recordId, hash: null, columns: null, month: null, order_number: null }
  }
  const { hash, columns, month } = canonicalOfSource(record, copy)
  return {
    record_id: recordId,
    hash: hex(hash),
    columns: hex(columns),
    month,
    order_number: orderNumber,
  }
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`
