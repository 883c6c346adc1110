import { dayOf, MINUTE_MS } from '@bancone/contract/dates'
import { timeToCome } from '@bancone/contract/opening-state'
import { publicOffersPath } from '@bancone/contract/pages'
import type { MessageUsage } from '@bancone/contract/whatsapp-messages'
import { z } from 'zod'
import type { Tasks } from '../../../platform/jobs.ts'
import {
  type OutgoingMessage,
  type WhatsAppBusiness,
  WhatsAppBusinessError,
} from '../../../ports/whatsapp-business.ts'
import type { Contact } from '../contacts.store.ts'
import type { WhatsAppContext } from '../whatsapp.context.ts'
import { noticeCounts, usageOfMonth } from './message-counts.store.ts'
import type { MessageOutcomes } from './message-outcomes.ts'
import {
  type Decision,
  decide,
  isBeyondMonth,
  isNoticeKind,
  type SendingFacts,
  shownNumber,
} from './messages.rules.ts'
import { cleanValue, expectedIn, type NoticeValues, noticeTexts } from './notice-texts.rules.ts'
import { SEND_TASK } from './outbox.store.ts'
import type { StoredMessage } from './sending.store.ts'

const OfMessage = z.object({ pharmacyId: z.uuid(), messageId: z.uuid() })

const ALL_USED = { texts: Number.POSITIVE_INFINITY, paid: Number.POSITIVE_INFINITY }

const msOf = (time: string | null) => (time === null ? null : Date.parse(time))

type Loaded = {
  message: StoredMessage
  contact: Contact | undefined
  facts: SendingFacts
  saysTu: boolean
}

/**
 * Sends the messages of the outbox, one a job. What decides is read at that time. A message is claimed before Meta is asked,
 * and is asked for once: without a response it is left to what Meta reports.
 */
function createSending(
  context: WhatsAppContext,
  business: Pick<WhatsAppBusiness, 'send'>,
  outcomes: MessageOutcomes,
) {
  const {
    db,
    sending,
    settings,
    templates,
    outbox,
    contacts,
    customers,
    consents,
    sealing,
    clock,
  } = context

  /** A notice about an order goes to its customer as known now; another message to the contact for whom it was added. */
  async function recipientOf(message: StoredMessage): Promise<Contact | undefined> {
    const { pharmacyId, kind, contactId, order } = message
    if (contactId !== null && (!isNoticeKind(kind) || !order))
      return contacts.load(pharmacyId, contactId)
    return order ? (await customers.find(pharmacyId, order)).contact : undefined
  }

  async function factsOf(message: StoredMessage): Promise<Loaded> {
    const { pharmacyId, kind, order } = message
    const current = await settings.load(db, pharmacyId)
    const { isOn, pausedUntil, dailyLimit, monthlyLimit, saysTu } = current
    const contact = await recipientOf(message)
    const noticeName = isNoticeKind(kind) && noticeTexts(saysTu)[kind].name
    const known = noticeName ? await templates.list(pharmacyId) : []
    const { usedToday } = await noticeCounts(db, pharmacyId)
    const opensAt =
      kind === 'received' && current.answersClosed
        ? await settings.opensAt(pharmacyId, clock.now())
        : null
    const facts: SendingFacts = {
      kind,
      isAutomatic: message.isAutomatic,
      ignoresHours: message.ignoresHours,
      needsTemplate: message.needsTemplate,
      expiresAt: Date.parse(message.expiresAt),
      isOn: message.isAllowed && isOn,
      pausedUntil: msOf(pausedUntil),
      dailyLimit,
      usedToday,
      monthlyLimit,
      usedThisMonth:
        monthlyLimit === null ? { texts: 0, paid: 0 } : await usageOfMonth(db, pharmacyId),
      opensAt: opensAt ?? null,
      connection: message.connection,
      contact: contact
        ? {
            hasConsent: (await consents.latest(db, pharmacyId, contact.id)) ?? null,
            isUnreachable: contact.unreachableAt !== null,
            pausedUntil: msOf(contact.pausedUntil),
            lastInboundAt: msOf(contact.lastInboundAt),
          }
        : null,
      order: order && {
        isCancelled: order.status === 'Annullato',
        pickup: order.pickup,
        isPartlyReady: order.isPartlyReady,
        isOverdue: order.isOverdue,
        hasNumber: shownNumber(order.number) !== undefined,
        products:
          message.isAutomatic && kind !== 'call'
            ? await sending.productsOf(pharmacyId, order.details)
            : null,
      },
      template: known.find(({ name }) => name === noticeName) ?? null,
    }
    return { message, contact, facts, saysTu }
  }

  /** Undefined where the message cannot be written any more. */
  async function composed({ message, facts, saysTu }: Loaded, by: 'text' | 'template') {
    const { pharmacyId, kind, order, pharmacy } = message
    const text = sealing.open(pharmacyId, 'text', message.text, message.keyId)
    if (!isNoticeKind(kind)) return text === undefined ? undefined : { text }
    // The text of a notice about no order is the code that the customer has written, of letters alone or not.
    const number = order ? shownNumber(order.number) : text
    if (number === undefined) return undefined
    const link =
      kind === 'link' && order
        ? await context.issueLink(pharmacyId, order.recordId, message.createdBy ?? pharmacyId)
        : context.publicUrl + publicOffersPath(pharmacy.code)
    if (link === undefined) return undefined
    const values: NoticeValues = {
      number,
      pharmacy: cleanValue(pharmacy.name),
      link,
      desk: cleanValue(message.desk ?? '') || 'al banco',
      moment:
        facts.opensAt === null
          ? expectedIn(order?.expectedOn ?? null, clock.now())
          : timeToCome(facts.opensAt, clock.now()),
    }
    const written = noticeTexts(saysTu)[kind]
    if (by === 'text') return { text: written.text(values) }
    return {
      template: written.name,
      values: written.values(values),
      buttonValue: written.button && encodeURIComponent(pharmacy.code),
    }
  }

  async function keepBack({ id, pharmacyId }: StoredMessage, decision: Decision, now: number) {
    if (decision.kind === 'wait') await outbox.postpone(pharmacyId, id, decision, now)
    else if (decision.kind === 'remove') await outbox.remove(pharmacyId, id)
    else if (decision.kind !== 'send')
      await outbox.end(pharmacyId, id, 'queued', decision.kind, decision.reason)
  }

  async function request(
    { message, contact }: Loaded,
    content: OutgoingMessage['content'],
    token: string,
    numberId: string,
  ) {
    const { id, pharmacyId } = message
    const attempt = {
      id,
      pharmacyId,
      kind: message.kind,
      attempts: message.attempts + 1,
      contactId: contact?.id ?? null,
    }
    try {
      const metaId = await business.send(token, numberId, {
        reference: id,
        phone: contact?.phone ?? null,
        userId: contact?.userId ?? null,
        content,
      })
      await outbox.markAccepted(pharmacyId, id, metaId)
    } catch (error) {
      if (!(error instanceof WhatsAppBusinessError)) throw error
      if (error.isUnsure) await outbox.markUnsure(pharmacyId, id)
      else await outcomes.refused(attempt, error)
    }
  }

  async function sendNow(loaded: Loaded, by: 'text' | 'template', now: number): Promise<void> {
    const { message, facts, contact } = loaded
    const { id, pharmacyId } = message
    const { phoneNumberId = null, token: sealed = null, keyId = null } = message.connection ?? {}
    const token = sealing.open(pharmacyId, 'token', sealed, keyId)
    if (token === undefined || phoneNumberId === null) {
      const wait = { until: now + 5 * MINUTE_MS, reason: 'connection' } as const
      return outbox.postpone(pharmacyId, id, wait, now)
    }
    const content = await composed(loaded, by)
    if (!content) return outbox.end(pharmacyId, id, 'queued', 'failed', 'cancelled')
    const bounds = isNoticeKind(message.kind)
      ? {
          dailyLimit: facts.dailyLimit,
          isBeyondMonth: (usage: MessageUsage) => isBeyondMonth(facts, by, usage),
          opensAt: facts.opensAt === null ? null : new Date(facts.opensAt).toISOString(),
        }
      : undefined
    const claim = await outbox.claim(pharmacyId, id, { contactId: contact?.id ?? null, by }, bounds)
    if (claim === 'claimed') await request(loaded, content, token, phoneNumberId)
    else if (claim === 'day')
      await keepBack(message, decide({ ...facts, usedToday: facts.dailyLimit }, now), now)
    else if (claim === 'month')
      await keepBack(message, decide({ ...facts, usedThisMonth: ALL_USED }, now), now)
  }

  return async (pharmacyId: string, messageId: string): Promise<void> => {
    const now = clock.now()
    const message = await sending.load(pharmacyId, messageId, dayOf(now))
    if (!message) return
    if (message.state === 'unsure')
      return outbox.end(pharmacyId, messageId, 'unsure', 'failed', 'no_response')
    if (message.state === 'sending') {
      // The process that asked Meta was killed, or still waits.
      if (message.isClaimed) throw new Error('the message is claimed')
      return outbox.markUnsure(pharmacyId, messageId)
    }
    if (message.state !== 'queued') return
    const dueAt = Date.parse(message.dueAt)
    if (dueAt > now) return outbox.sendLater(pharmacyId, messageId, dueAt - now)
    const loaded = await factsOf(message)
    const decision = decide(loaded.facts, now)
    if (decision.kind === 'send') await sendNow(loaded, decision.by, now)
    else await keepBack(message, decision, now)
  }
}

/** The job of a message. @param business undefined: Meta is not configured, and nothing is sent */
export function sendingTasks(
  context: WhatsAppContext,
  business: Pick<WhatsAppBusiness, 'send'> | undefined,
  outcomes: MessageOutcomes,
): Tasks {
  const send = business && createSending(context, business, outcomes)
  return {
    [SEND_TASK]: {
      lane: 'delivery',
      async run(payload) {
        const { pharmacyId, messageId } = OfMessage.parse(payload)
        await send?.(pharmacyId, messageId)
      },
    },
  }
}
