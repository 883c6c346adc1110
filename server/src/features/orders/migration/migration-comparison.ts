import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { VerificationResult } from '@bancone/contract/migration-results'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { ownership } from '../records/order-owner.rules.ts'
import { addToSum, canonicalOfCopy, differencesOf, differingColumns } from './canonical-order.ts'
import type { MigrationContext } from './migration.context.ts'
import { type ComparedCopy, settledColumns } from './migration-findings.rules.ts'
import { retried } from './migration-reading.ts'
import { allCopied, copiedByIds, type Item, type MonthSum } from './migration-records.store.ts'
import type { ClaimedRun } from './migration-work.store.ts'

/** Differences that are read again and listed. More of them do not come from orders that change meanwhile. */
const MAX_RECHECKED = 1_000

/** How often a difference is read at most: between the reading of one side and the other an order may change. */
const ROUNDS = 3
const ROUND_PAUSE_MS = 2_000

type Kind = 'only_in_airtable' | 'only_here' | 'different'
const differenceKinds: readonly Kind[] = ['only_in_airtable', 'only_here', 'different']

type Difference = Item & { kind: Kind }

/**
 * Compares what a run has read with the copy: sums by month, then the orders of the months that differ, then their
 * columns. A difference counts only if it is still there when both sides are read again.
 */
export function createMigrationComparison(context: MigrationContext) {
  const { db, source, records, copies, work, refresh, timing } = context

  async function sumsOfCopy(pharmacyId: string, signal: AbortSignal) {
    const sums = new Map<string, MonthSum>()
    let orders = 0
    for await (const portion of allCopied(db, pharmacyId)) {
      signal.throwIfAborted()
      for (const copy of portion) {
        if (copy.is_made_here) continue
        orders += 1
        const { month, hash } = canonicalOfCopy(copy)
        const last = sums.get(month) ?? { orders: 0, sum: 0n }
        sums.set(month, { orders: last.orders + 1, sum: addToSum(last.sum, hash) })
      }
    }
    return { sums, orders }
  }

  /** The differences in these months. */
  async function* differencesIn(run: ClaimedRun, months: readonly string[]) {
    for await (const portion of records.missing(run, months)) {
      for (const { recordId, orderNumber } of portion)
        yield difference('only_in_airtable', recordId, orderNumber)
    }
    for await (const portion of allCopied(db, run.pharmacyId, months)) {
      const read = await records.read(
        run,
        portion.map((copy) => copy.airtable_order_id),
      )
      for (const copy of portion) {
        const record = read.get(copy.airtable_order_id)
        if (!record) {
          if (!copy.is_made_here)
            yield difference('only_here', copy.airtable_order_id, copy.order_number)
        } else if (record.columns) {
          const columns = differingColumns(record.columns, canonicalOfCopy(copy).columns)
          const settled = settledColumns(copy, columns)
          if (settled.length > 0) yield differs(copy, settled)
        }
      }
    }
  }

  /** What both sides are now. */
  async function readAgain(
    { pharmacyId, location }: Pick<ClaimedRun, 'pharmacyId' | 'location'>,
    recordIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Difference[]> {
    const tablePharmacies = await copies.tablePharmacies(location)
    const there = new Map<string, SourceOrder>()
    const unreadable = new Set<string | null>()
    for await (const page of source.readSome(location, recordIds, signal)) {
      for (const { recordId } of page.unreadable) unreadable.add(recordId)
      for (const order of page.orders) {
        if (ownership(order.pharmaWa, pharmacyId, tablePharmacies) !== 'foreign') {
          there.set(order.recordId, order)
        }
      }
    }
    const here = await copiedByIds(db, pharmacyId, recordIds)
    return recordIds.flatMap((recordId) =>
      unreadable.has(recordId) && !there.has(recordId)
        ? []
        : differenceOf(recordId, there.get(recordId), here.get(recordId)),
    )
  }

  /** @returns the record ids that still differ, with how */
  async function settle(
    run: Pick<ClaimedRun, 'pharmacyId' | 'location' | 'phase'>,
    recordIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Difference[]> {
    let left: Difference[] = []
    let suspects = recordIds
    for (let round = 1; round <= ROUNDS && suspects.length > 0; round += 1) {
      if (round > 1) await pause(ROUND_PAUSE_MS / ROUNDS, undefined, { signal })
      if (run.phase !== 'retired') await refresh(run.pharmacyId, run.location)
      left = await readAgain(run, suspects, signal)
      suspects = left.map(({ recordId }) => recordId)
    }
    return left
  }

  return {
    settle,

    /**
     * @param waitForRecheck called if there are differences, before they are read again
     */
    async compare(run: ClaimedRun, waitForRecheck: () => Promise<void>, signal: AbortSignal) {
      await records.removeItems(run, differenceKinds)
      const read = await records.monthSums(run)
      const { sums, orders } = await sumsOfCopy(run.pharmacyId, signal)
      const months = new Set([...read.keys(), ...sums.keys()])
      const different = [...months].filter((month) => !isEqual(read.get(month), sums.get(month)))
      const suspects: Difference[] = []
      const beyond = { only_in_airtable: 0, only_here: 0, different: 0 }
      if (different.length > 0) {
        for await (const found of differencesIn(run, different)) {
          signal.throwIfAborted()
          if (suspects.length < MAX_RECHECKED) suspects.push(found)
          else beyond[found.kind] += 1
        }
      }
      let left: Difference[] = []
      if (suspects.length > 0) {
        await records.putItems(run, suspects)
        await waitForRecheck()
        const recordIds = suspects.map(({ recordId }) => recordId)
        left = await retried(() => settle(run, recordIds, signal), {
          retryMs: timing.retryMs,
          signal,
          onFailure: (failure) => work.noteFailure(run, failure),
        })
        await records.removeItems(run, differenceKinds)
        await records.putItems(run, left)
      }
      const counted = (kind: Kind) =>
        beyond[kind] + left.filter((found) => found.kind === kind).length
      return {
        airtable: [...read.values()].reduce((sum, month) => sum + month.orders, 0),
        database: orders,
        months: months.size,
        differentMonths: different.toSorted(),
        onlyInAirtable: counted('only_in_airtable'),
        onlyHere: counted('only_here'),
        different: counted('different'),
        settled: suspects.length - left.length,
      }
    },
  }
}

const isEqual = (a: MonthSum | undefined, b: MonthSum | undefined) =>
  a?.orders === b?.orders && a?.sum === b?.sum

/** How the two sides of an order differ. One that is on its way to Airtable, or is made here, does not. */
export function differenceOf(
  recordId: string,
  order: SourceOrder | undefined,
  copy: ComparedCopy | undefined,
): Difference[] {
  if (!order && !copy) return []
  if (order && !copy && order.isBlank) return []
  if (order && !copy) return [difference('only_in_airtable', recordId, order.orderNumber)]
  if (!copy || (!order && (copy.is_made_here || copy.has_change))) return []
  if (!order) return [difference('only_here', recordId, copy.order_number)]
  const columns = settledColumns(copy, differencesOf(order, copy))
  return columns.length > 0 ? [differs(copy, columns)] : []
}

const reasons = { only_in_airtable: 'missing', only_here: 'extra' } as const

function difference(
  kind: keyof typeof reasons,
  recordId: string,
  orderNumber: string | null,
): Difference {
  return { recordId, orderNumber, kind, columns: [], reason: reasons[kind] }
}

function differs(copy: ComparedCopy, columns: string[]): Difference {
  const { airtable_order_id: recordId, order_number: orderNumber } = copy
  return { recordId, orderNumber, kind: 'different', columns, reason: 'differs' }
}

/** Checks the stored copies of attachments by their length and their SHA-256, which is the end of their key. */
export function createPictureCheck({ records, files }: MigrationContext) {
  async function check(key: string, bytes: number) {
    const file = await files.open(key)
    if (!file) return 'picture_missing'
    const hash = createHash('sha256')
    let length = 0
    await pipeline(file.stream, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        length += chunk.length
        hash.update(chunk)
      }
    })
    const isWhole = length === bytes && key.endsWith(`/${hash.digest('hex')}`)
    return isWhole ? null : 'picture_damaged'
  }

  return async (run: ClaimedRun, signal: AbortSignal): Promise<VerificationResult['pictures']> => {
    await records.removeItems(run, ['picture'])
    const result = { checked: 0, missing: 0, waiting: 0, refused: 0 }
    for await (const pictures of records.pictures(run.pharmacyId))
      for (const picture of pictures) {
        signal.throwIfAborted()
        let problem: Awaited<ReturnType<typeof check>> = null
        for (const { key, bytes } of picture.files) {
          problem ??= await check(key, bytes)
          result.checked += 1
        }
        if (problem) result.missing += 1
        if (picture.state === 'waiting') result.waiting += 1
        if (picture.state === 'refused') result.refused += 1
        const reason = problem ?? (picture.state === 'refused' ? 'picture_refused' : null)
        if (!reason) continue
        const item: Item = {
          recordId: picture.record_id,
          orderNumber: picture.order_number,
          kind: 'picture',
          columns: ['Image'],
          reason,
        }
        await records.putItems(run, [item])
      }
    return result
  }
}
