import { DAY_MS, HOUR_MS, MINUTE_MS } from '@bancone/contract/dates'
import { MessageRefusal } from '@bancone/contract/whatsapp'
import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { enqueue, type Tasks } from '../../../platform/jobs.ts'
import {
  kindOfCode,
  type WhatsAppBusinessError,
  type WhatsAppBusinessErrorKind,
} from '../../../ports/whatsapp-business.ts'
import type { DeliveryReport } from '../deliveries.store.ts'
import type { WhatsAppContext } from '../whatsapp.context.ts'
import { enqueueMail } from '../whatsapp-mails.ts'
import { enqueueTemplates } from './message-settings.store.ts'
import { backOff, isNoticeKind, type MessageKind } from './messages.rules.ts'
import { noticeTexts } from './notice-texts.rules.ts'
import type { RefusalOutcome } from './outbox.store.ts'

const REFUSAL_TASK = 'whatsapp.refusal'

/** The kinds of refusals that concern the pharmacy, not one message. */
const PharmacyRefusal = z.enum(['expired', 'permission', ...MessageRefusal.options])
const Refused = z.object({ pharmacyId: z.uuid(), kind: PharmacyRefusal })

type Attempt = {
  id: string
  pharmacyId: string
  kind: MessageKind
  attempts: number
  contactId: string | null
}

export type MessageOutcomes = ReturnType<typeof createMessageOutcomes>

/** What follows when Meta refuses a message, in its response or later by webhook, and when it reports of one. */
export function createMessageOutcomes(context: WhatsAppContext) {
  const {
    db,
    outbox,
    deliveries,
    contacts,
    settings,
    templates,
    connectionEvents,
    noteMessage,
    clock,
  } = context

  /** @param tx what is changed with the message. The state of the pharmacy is changed by a job. */
  async function outcomeOf(
    tx: Database,
    attempt: Attempt,
    kind: WhatsAppBusinessErrorKind,
  ): Promise<RefusalOutcome> {
    const { pharmacyId, attempts, contactId } = attempt
    const isNotice = isNoticeKind(attempt.kind)
    const now = clock.now()
    const later = now + backOff(attempts)
    const tell = (what: z.output<typeof PharmacyRefusal>) =>
      enqueue(
        tx,
        REFUSAL_TASK,
        { pharmacyId, kind: what },
        { key: `${REFUSAL_TASK}:${pharmacyId}:${what}:${attempt.id}` },
      )
    /** What the pharmacy can mend: notices wait for it. */
    const toMend = async (what: 'payment' | 'name' | 'registration'): Promise<RefusalOutcome> => {
      await tell(what)
      return isNotice ? { until: now + HOUR_MS, reason: what } : { reason: what }
    }
    switch (kind) {
      case 'window_closed':
        return isNotice
          ? { until: now, reason: null, needsTemplate: true }
          : { reason: 'window_closed' }
      case 'not_on_whatsapp':
        if (contactId !== null) await contacts.mark(tx, pharmacyId, contactId, 'unreachable')
        return { reason: 'not_on_whatsapp' }
      case 'person':
        if (contactId !== null)
          await contacts.mark(tx, pharmacyId, contactId, { pausedUntil: now + DAY_MS })
        return { until: now + DAY_MS, reason: 'person' }
      case 'rate':
        await settings.pause(tx, pharmacyId, later)
        return { until: later, reason: 'rate' }
      case 'pair':
        return { until: later, reason: 'rate' }
      case 'unreachable':
        return { until: later, reason: 'connection' }
      case 'expired':
      case 'permission':
        await tell(kind)
        return { until: now + 5 * MINUTE_MS, reason: 'connection' }
      case 'template': {
        if (isNoticeKind(attempt.kind)) {
          const forms = [noticeTexts(true)[attempt.kind], noticeTexts(false)[attempt.kind]]
          for (const { name } of forms) await templates.markStale(tx, pharmacyId, name)
        }
        await enqueueTemplates(tx, pharmacyId)
        return isNotice
          ? { until: now + 15 * MINUTE_MS, reason: 'template' }
          : { reason: 'refused' }
      }
      case 'restricted':
      case 'policy':
        await tell(kind)
        return { reason: kind }
      case 'payment':
      case 'name':
      case 'registration':
        return toMend(kind)
      case 'unverified':
        return toMend('registration')
      case 'own_number':
        return { reason: 'own_number' }
      case 'pin':
      case 'callback':
      case 'refused':
        return { reason: 'refused' }
    }
  }

  async function stop(pharmacyId: string, reason: 'restricted' | 'policy'): Promise<void> {
    await settings.switchOff(
      pharmacyId,
      async (tx) => {
        await outbox.cancelAll(tx, pharmacyId)
        await enqueueMail(tx, pharmacyId, { kind: 'stopped', reason })
      },
      reason,
    )
  }

  const tasks: Tasks = {
    [REFUSAL_TASK]: {
      lane: 'delivery',
      async run(payload) {
        const { pharmacyId, kind } = Refused.parse(payload)
        const refusal = MessageRefusal.safeParse(kind).data
        if (refusal)
          await connectionEvents.noteRefusal(
            pharmacyId,
            refusal,
            new Date(clock.now()).toISOString(),
          )
        if (kind === 'payment' || kind === 'name') return
        if (kind === 'restricted') return stop(pharmacyId, 'restricted')
        if (kind === 'policy') {
          if (await settings.countPolicyError(pharmacyId)) await stop(pharmacyId, 'policy')
          return
        }
        await connectionEvents.noteRefusedToken(pharmacyId, kind === 'expired')
      },
    },
  }

  /** @param from `sending`: refused in the response; `accepted`: not delivered, by a report */
  async function settle(
    tx: Database,
    attempt: Attempt,
    from: 'sending' | 'accepted',
    kind: WhatsAppBusinessErrorKind,
  ): Promise<RefusalOutcome> {
    const { pharmacyId, id } = attempt
    const outcome = await outcomeOf(tx, attempt, kind)
    await outbox.settleRefused(tx, pharmacyId, id, from, outcome, clock.now())
    return outcome
  }

  return {
    tasks,

    /** Meta has refused the request for a message that was claimed. */
    async refused(attempt: Attempt, error: WhatsAppBusinessError): Promise<void> {
      await db.transaction().execute((tx) => settle(tx, attempt, 'sending', error.kind))
    },

    /**
     * Meta reports of a sent message. `reference` is ours, if Meta returns it.
     *
     * @param tx the transaction in which the webhook is processed
     */
    async reported(
      tx: Database,
      pharmacyId: string,
      report: DeliveryReport & { reference: string | null },
    ): Promise<void> {
      const { metaId, reference, status, at, errorCode } = report
      const { isNew, furthest } = await deliveries.report(tx, pharmacyId, report)
      const message = await outbox.settleReported(tx, pharmacyId, { metaId, reference })
      if (!message || !isNew) return
      const { kind, orderId } = message
      if (status === 'delivered' || status === 'read')
        await connectionEvents.clearRefusal(tx, pharmacyId, isNoticeKind(kind), at)
      if (status === 'failed') {
        // What was delivered may be reported as failed for another device.
        if (furthest !== 'failed') return
        const refusal = errorCode === null ? 'refused' : kindOfCode(errorCode)
        const outcome = await settle(tx, { ...message, pharmacyId }, 'accepted', refusal)
        if ('until' in outcome) return
      }
      if (orderId !== null && isNoticeKind(kind))
        await noteMessage(tx, pharmacyId, orderId, { kind, status, at })
    },
  }
}
