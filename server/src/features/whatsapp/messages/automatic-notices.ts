import type { Database } from '../../../database/database.ts'
import { messageSettings } from './message-settings.store.ts'
import { addAutomaticNotices, takeBackCall, takeBackNotices } from './outbox.store.ts'

/** A status is not announced at once, so that a mistake can be taken back; nor what a reading finds long after. */
const READY = {
  kind: 'ready',
  delaySeconds: 30,
  lifetimeSeconds: 2 * 24 * 60 * 60,
  latestSeconds: 2 * 60 * 60,
} as const
const CALL = { kind: 'call', delaySeconds: 12, lifetimeSeconds: 10 * 60 } as const

/**
 * Announces orders that get the status of the pharmacy's settings. What waits when the status changes again is taken
 * back; a notice that a person has asked for, only when the order is cancelled.
 *
 * @param tx the transaction that changes the statuses
 */
export async function announceStatuses(
  tx: Database,
  pharmacyId: string,
  statuses: readonly { orderId: string; recordId: string; from: string | null; to: string }[],
): Promise<void> {
  const changed = statuses.filter(({ from }) => from !== null)
  const settings = changed.length > 0 && (await messageSettings(tx, pharmacyId))
  if (!settings) return
  const cancelled = changed.filter(({ to }) => to === 'Annullato')
  await takeBackNotices(tx, pharmacyId, idsOf(changed), idsOf(cancelled))
  const ready = changed.filter(({ to }) => to === settings.readyStatus)
  if (settings.isOn && ready.length > 0)
    await addAutomaticNotices(
      tx,
      pharmacyId,
      READY,
      ready.map(({ recordId }) => recordId),
    )
}

/**
 * Tells a customer that a desk has called them, unless that is taken back. Each call of a priority session is an
 * occasion.
 *
 * @param tx the transaction that changes the priority session
 */
export async function announceCall(
  tx: Database,
  pharmacyId: string,
  prioritySession: { id: string; recordId: string; version: number; from: string; to: string },
): Promise<void> {
  const { id, recordId, version, from, to } = prioritySession
  if (from === 'called') await takeBackCall(tx, pharmacyId, recordId)
  if (to !== 'called') return
  const settings = await messageSettings(tx, pharmacyId)
  if (!settings?.isOn || !settings.sendsCalls) return
  await addAutomaticNotices(tx, pharmacyId, { ...CALL, occasion: `${id} ${version}` }, [recordId])
}

const idsOf = (statuses: readonly { orderId: string }[]) => statuses.map(({ orderId }) => orderId)
