import { dayOf } from '@bancone/contract/dates'
import type { HandlerResult } from '@bancone/contract/endpoint'
import { MAX_REMINDERS } from '@bancone/contract/whatsapp-messages'
import {
  type ChatMessage,
  MessageContent,
  type OrderWhatsApp,
  type recordWhatsAppConsent,
  type sendOrderNotice,
  type sendWhatsAppReply,
  type UnreadCustomer,
} from '@bancone/contract/whatsapp-orders'
import { consentQuestion, consentWording } from '@bancone/contract/whatsapp-terms'
import { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { PharmacySession } from '../../../http/serve.ts'
import { rethrowRateLimitAs } from '../../../platform/rate-limits.ts'
import { type Contact, rethrowErased } from '../contacts.store.ts'
import type { WhatsAppContext } from '../whatsapp.context.ts'
import { createOrderMessagesStore } from './conversations.store.ts'
import { wishOf } from './inbound.rules.ts'
import { remindersSent } from './message-counts.store.ts'
import { isWindowOpen, shownNumber, WINDOW_MS } from './messages.rules.ts'
import type { OrderOfCustomer } from './order-customers.store.ts'
import { namesProduct, possibleNames } from './order-products.rules.ts'

/** Time in which a notice is taken back with what caused it. */
const HOLD_MS = 30_000
const NOTICE_LIFE_MS = 48 * 3_600_000
const REPLY_LIFE_MS = 3_600_000

type Body<E extends { body: z.core.$ZodType }> = z.output<E['body']>

type Found = { order: OrderOfCustomer; contact: Contact | undefined; phone: string | null }

function contentKind(type: string): MessageContent {
  if (type === 'button' || type === 'interactive') return 'text'
  if (type === 'revoke') return 'deletion'
  return z.catch(MessageContent, 'other').parse(type)
}

function changeOf(
  metaId: string,
  deleted: ReadonlySet<string>,
  edited: ReadonlySet<string>,
): ChatMessage['change'] {
  if (deleted.has(metaId)) return 'deleted'
  return edited.has(metaId) ? 'edited' : null
}

/** What concerns WhatsApp in the details of an order. */
export function createOrderMessages(context: WhatsAppContext) {
  const { db, settings, customers, contacts, consents, outbox, sealing, clock } = context
  const messages = createOrderMessagesStore(db)

  async function find(pharmacyId: string, recordId: string): Promise<Found> {
    const order = await customers.order(pharmacyId, recordId, dayOf(clock.now()))
    if (!order) throw new AppError('orders.not_found')
    return { order, ...(await customers.find(pharmacyId, order)) }
  }

  /** @throws AppError `orders.not_found`, `whatsapp.messages_off` */
  async function findOn(pharmacyId: string, recordId: string) {
    const found = await find(pharmacyId, recordId)
    const current = await settings.load(db, pharmacyId)
    if (!current.isOn) throw new AppError('whatsapp.messages_off')
    return { ...found, current }
  }

  async function conversation(pharmacyId: string, contact: Contact | undefined) {
    const rows = contact ? await messages.chat(pharmacyId, contact.id) : []
    const aboutOf = (wanted: string) =>
      new Set(rows.flatMap(({ type, about }) => (type === wanted && about !== null ? about : [])))
    const edited = aboutOf('edit')
    const deleted = aboutOf('revoke')
    return rows.map(({ text: sealed, keyId, order, type, metaId, about: _about, ...message }) => {
      const text = sealing.open(pharmacyId, 'text', sealed, keyId) ?? null
      const isOrder = text !== null && !wishOf(text)
      return {
        ...message,
        content: contentKind(type),
        text,
        order: isOrder ? order : null,
        change: changeOf(metaId ?? '', deleted, edited),
      }
    })
  }

  async function get(pharmacyId: string, recordId: string): Promise<OrderWhatsApp> {
    const { order, contact, phone } = await find(pharmacyId, recordId)
    const { isOn, sendsLinks } = await settings.load(db, pharmacyId)
    const name = await settings.pharmacyName(db, pharmacyId)
    const given = contact ? await consents.list(pharmacyId, contact.id) : []
    const last = contact?.lastInboundAt ? Date.parse(contact.lastInboundAt) : null
    return {
      isOn,
      isReachable: contact !== undefined || phone !== null,
      consent: given[0] ?? null,
      consents: given,
      question: { version: consentWording.version, text: consentQuestion(name) },
      notices: await messages.notices(pharmacyId, order.id),
      products: isOn
        ? await context.sending.productsOf(pharmacyId, order.details)
        : 'unknown_products',
      isPartlyReady: order.isPartlyReady,
      remindersLeft: order.isOverdue
        ? MAX_REMINDERS - (await remindersSent(db, pharmacyId, order.id))
        : 0,
      sendsLinks,
      windowEndsAt:
        isOn && last !== null && isWindowOpen(last, clock.now())
          ? new Date(last + WINDOW_MS).toISOString()
          : null,
      conversation: isOn ? await conversation(pharmacyId, contact) : [],
    }
  }

  return {
    get,

    async unread(pharmacyId: string): Promise<UnreadCustomer[]> {
      const { isOn } = await settings.load(db, pharmacyId)
      return isOn ? messages.unread(pharmacyId) : []
    },

    /** @param until ISO 8601 */
    async markRead(pharmacyId: string, recordId: string, until: string): Promise<void> {
      const { contact } = await find(pharmacyId, recordId)
      if (contact) await contacts.markRead(pharmacyId, contact.id, until)
    },

    async recordConsent(
      pharmacyId: string,
      userId: string,
      recordId: string,
      { isGiven, version }: Body<typeof recordWhatsAppConsent>,
    ): Promise<HandlerResult<typeof recordWhatsAppConsent>> {
      const { order, contact, phone } = await findOn(pharmacyId, recordId)
      if (version !== consentWording.version) throw new AppError('whatsapp.other_terms')
      if (!contact && phone === null) throw new AppError('whatsapp.unreachable')
      const wording = consentQuestion(await settings.pharmacyName(db, pharmacyId))
      await db
        .transaction()
        .execute(async (tx) => {
          await contacts.lock(tx, pharmacyId)
          // An erasure may have had the lock.
          if (!contact && !(await customers.hasPhone(tx, pharmacyId, order)))
            throw new AppError('orders.changed_meanwhile')
          const contactId = contact?.id ?? (await contacts.ensure(tx, pharmacyId, phone ?? ''))
          await consents.record(tx, pharmacyId, contactId, {
            isGiven,
            wordingVersion: version,
            wording: isGiven ? wording : 'Il cliente ha chiesto di non ricevere più avvisi.',
            source: { channel: 'counter', userId, at: new Date(clock.now()).toISOString() },
          })
        })
        .catch(rethrowErased)
      return get(pharmacyId, recordId)
    },

    /** An order of which a customer is told that it is ready is marked so. */
    async sendNotice(
      session: PharmacySession,
      recordId: string,
      { kind, now: ignoresHours }: Body<typeof sendOrderNotice>,
    ): Promise<HandlerResult<typeof sendOrderNotice>> {
      const { userId } = session
      const pharmacyId = session.pharmacy.id
      const { order, contact, phone, current } = await findOn(pharmacyId, recordId)
      if (kind === 'link' && !current.sendsLinks) throw new AppError('whatsapp.messages_off')
      if (!contact && phone === null) throw new AppError('whatsapp.unreachable')
      if (!contact || (await consents.latest(db, pharmacyId, contact.id)) !== true)
        throw new AppError('whatsapp.no_consent')
      const isUntrue =
        order.status === 'Annullato' ||
        (kind === 'reminder' && !order.isOverdue) ||
        (kind === 'part' && !order.isPartlyReady)
      if (isUntrue) throw new AppError('orders.changed_meanwhile')
      if (shownNumber(order.number) === undefined) throw new AppError('whatsapp.no_order_number')
      const now = clock.now()
      const life = { dueAt: now + HOLD_MS, expiresAt: now + NOTICE_LIFE_MS }
      await outbox.addNotice(pharmacyId, order.id, { kind, ignoresHours, userId, ...life }, now)
      // After the notice, so that none is added by itself.
      if (kind === 'ready') await context.markReady(session, order.recordId)
      return get(pharmacyId, recordId)
    },

    async cancelNotice(pharmacyId: string, recordId: string, noticeId: string) {
      const { order } = await find(pharmacyId, recordId)
      await outbox.cancelNotice(pharmacyId, order.id, noticeId)
      return get(pharmacyId, recordId)
    },

    async reply(
      pharmacyId: string,
      userId: string,
      recordId: string,
      { id, text }: Body<typeof sendWhatsAppReply>,
    ): Promise<HandlerResult<typeof sendWhatsAppReply>> {
      const { order, contact } = await findOn(pharmacyId, recordId)
      const now = clock.now()
      const last = contact?.lastInboundAt ? Date.parse(contact.lastInboundAt) : null
      if (!contact || !isWindowOpen(last, now)) throw new AppError('whatsapp.window_closed')
      const own = [await settings.pharmacyName(db, pharmacyId), order.customer ?? '']
      const namesMedicine = await context.sending.isMedicineName(possibleNames(text))
      if (namesMedicine || namesProduct(text, order.details, own))
        throw new AppError('whatsapp.names_product')
      await context.limits
        .take({ limit: 'whatsapp-replies', subject: pharmacyId })
        .catch(rethrowRateLimitAs('whatsapp.too_many'))
      const sealed = { text: sealing.seal(pharmacyId, 'text', text), keyId: sealing.keyId }
      const life = { dueAt: now, expiresAt: now + REPLY_LIFE_MS }
      const of = { id, orderId: order.id, contactId: contact.id, userId }
      await db
        .transaction()
        .execute((tx) =>
          outbox.addText(tx, pharmacyId, { kind: 'reply', ...of, ...sealed, ...life }, now),
        )
        .catch(rethrowErased)
      return get(pharmacyId, recordId)
    },
  }
}
