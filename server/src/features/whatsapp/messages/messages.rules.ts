import { addDays, DAY_MS, dayOf, endOfDay, HOUR_MS, MINUTE_MS, ROME } from '@bancone/contract/dates'
import type { OrderPickup } from '@bancone/contract/orders'
import type { WhatsAppState } from '@bancone/contract/whatsapp'
import {
  FREE_TEXTS_PER_MONTH,
  type MessageReason,
  type NoticeKind,
} from '@bancone/contract/whatsapp-messages'
import { cleanValue } from './notice-texts.rules.ts'

export type MessageKind = NoticeKind | 'reply' | 'answer'

/** Meta delivers free text for 24 hours after the customer's last message. A minute less, for what is on its way. */
export const WINDOW_MS = DAY_MS - MINUTE_MS

/** Refusals of Meta's policy after which the messages are switched off. */
export const MAX_POLICY_ERRORS = 3

/** All that decides whether, when and how a message is sent. Times are milliseconds since 1970. */
export type SendingFacts = {
  kind: MessageKind
  isAutomatic: boolean
  ignoresHours: boolean
  needsTemplate: boolean
  expiresAt: number
  /** Switched on, with the present terms accepted. */
  isOn: boolean
  pausedUntil: number | null
  dailyLimit: number
  usedToday: number
  monthlyLimit: number | null
  /** The free texts of the month, and its messages that cost something. */
  usedThisMonth: { texts: number; paid: number }
  /** When the pharmacy opens; null: it is open, or its hours are not known. */
  opensAt: number | null
  connection: { state: WhatsAppState; quality: string | null } | null
  /** Null: it is not known whom to write to. */
  contact: {
    /** Null: neither a consent nor a withdrawal is known. */
    hasConsent: boolean | null
    isUnreachable: boolean
    pausedUntil: number | null
    lastInboundAt: number | null
  } | null
  /** Null for a message about no order. */
  order: {
    isCancelled: boolean
    pickup: OrderPickup
    isPartlyReady: boolean
    isOverdue: boolean
    hasNumber: boolean
    products: 'medicine' | 'unknown_products' | null
  } | null
  template: { status: string; category: string } | null
}

/** What happens to the row. `held_back`: not sent by itself, which is shown. `remove`: nothing is shown of it. */
export type Decision =
  | { kind: 'send'; by: 'text' | 'template' }
  | { kind: 'wait'; reason: MessageReason; until: number }
  | { kind: 'failed'; reason: MessageReason }
  | { kind: 'held_back'; reason: MessageReason }
  | { kind: 'remove' }

export function decide(facts: SendingFacts, now: number): Decision {
  const refusal = refusalOf(facts, now)
  if (refusal) return refusal
  const wait = waitOf(facts, now)
  if (wait) return wait
  const by = wayOf(facts, now)
  if (isBeyondMonth(facts, by, facts.usedThisMonth)) return keepBack(facts, 'monthly_limit')
  return { kind: 'send', by }
}

/** Why a message is not sent at all. */
function refusalOf(facts: SendingFacts, now: number): Decision | undefined {
  const { kind, contact, order } = facts
  if (!facts.isOn) return fail(facts, 'off')
  if (facts.expiresAt <= now) return { kind: 'failed', reason: 'late' }
  if (!contact) return fail(facts, 'no_consent')
  if (kind === 'received' && facts.opensAt === null) return { kind: 'remove' }
  if (isNoticeKind(kind) && order) return noticeRefusal(facts, order, contact)
  if (kind === 'received' && contact.hasConsent === false) return { kind: 'remove' }
  return isWindowOpen(contact.lastInboundAt, now) ? undefined : fail(facts, 'window_closed')
}

function noticeRefusal(
  facts: SendingFacts,
  order: NonNullable<SendingFacts['order']>,
  contact: NonNullable<SendingFacts['contact']>,
): Decision | undefined {
  const { kind, isAutomatic } = facts
  if (contact.hasConsent !== true) return fail(facts, 'no_consent')
  if (order.isCancelled) return fail(facts, 'cancelled')
  if (isOutdated(facts, order)) return fail(facts, 'outdated')
  if (!order.hasNumber) return isAutomatic ? keepBack(facts, 'no_number') : fail(facts, 'no_number')
  // A call names neither the order nor a product, and is for a customer who waits at the counter.
  if (isAutomatic && kind !== 'call' && order.products) return keepBack(facts, order.products)
  if (contact.isUnreachable) return { kind: 'failed', reason: 'not_on_whatsapp' }
  return undefined
}

const fail = ({ isAutomatic }: SendingFacts, reason: MessageReason): Decision =>
  isAutomatic ? { kind: 'remove' } : { kind: 'failed', reason }

/** An answer is of use at once only, and a call as well. */
function keepBack({ kind }: SendingFacts, reason: MessageReason): Decision {
  if (kind === 'received') return { kind: 'remove' }
  return { kind: kind === 'call' ? 'failed' : 'held_back', reason }
}

/** Whether the order has changed since, so that the notice is not true any more. */
function isOutdated(
  { kind, isAutomatic }: SendingFacts,
  { pickup, isPartlyReady, isOverdue }: NonNullable<SendingFacts['order']>,
): boolean {
  const isOver = pickup === 'collected' || pickup === 'put_back'
  if (kind === 'ready') return isOver || (isAutomatic && pickup === 'none')
  if (kind === 'part') return !isPartlyReady
  return kind === 'reminder' && !isOverdue
}

/** Whether a notice that no person has asked for would cost something when the pharmacy wants to pay for no more this month. */
export function isBeyondMonth(
  { kind, isAutomatic, monthlyLimit }: SendingFacts,
  by: 'text' | 'template',
  { texts, paid }: SendingFacts['usedThisMonth'],
): boolean {
  if (!isAutomatic || !isNoticeKind(kind) || monthlyLimit === null) return false
  const isFree = by === 'text' && texts < FREE_TEXTS_PER_MONTH
  return !isFree && paid >= monthlyLimit
}

/** What a message waits for. Calls and first answers are of no use later. */
function waitOf(facts: SendingFacts, now: number): Decision | undefined {
  const { kind, connection, contact } = facts
  const isNotice = isNoticeKind(kind)
  const isUrgent = kind === 'call' || kind === 'received'
  const wait = (reason: MessageReason, until: number): Decision =>
    isUrgent && until > facts.expiresAt ? keepBack(facts, reason) : { kind: 'wait', reason, until }
  if (connection?.state !== 'connected') return wait('connection', now + 5 * MINUTE_MS)
  if (isNotice && connection.quality === 'RED') return wait('quality', now + 15 * MINUTE_MS)
  if (facts.pausedUntil !== null && facts.pausedUntil > now) return wait('rate', facts.pausedUntil)
  if (!isNotice) return undefined
  if (contact?.pausedUntil && contact.pausedUntil > now) return wait('person', contact.pausedUntil)
  const hour = nextSendingTime(now)
  if (hour > now && !facts.ignoresHours) return wait('hours', hour)
  if (facts.usedToday >= facts.dailyLimit) return wait('budget', nextDay(now))
  if (wayOf(facts, now) === 'template' && !isUsable(facts.template))
    return wait('template', now + 15 * MINUTE_MS)
  return undefined
}

export const isNoticeKind = (kind: MessageKind): kind is NoticeKind =>
  kind !== 'reply' && kind !== 'answer'

export function isWindowOpen(lastInboundAt: number | null, now: number): boolean {
  return lastInboundAt !== null && now - lastInboundAt < WINDOW_MS
}

/** Free text needs no approval, and the first ones of a month cost nothing; Meta delivers it in the window only. */
function wayOf({ kind, needsTemplate, contact }: SendingFacts, now: number): 'text' | 'template' {
  if (!isNoticeKind(kind)) return 'text'
  return !needsTemplate && isWindowOpen(contact?.lastInboundAt ?? null, now) ? 'text' : 'template'
}

/** Meta may make a template one of marketing, for which there is no consent. */
const isUsable = (template: SendingFacts['template']) =>
  template !== null && template.status === 'APPROVED' && template.category === 'UTILITY'

/** Milliseconds until the next attempt: half a minute, doubled each time, an hour at most. */
export function backOff(attempts: number): number {
  return Math.min(30_000 * 2 ** Math.min(attempts - 1, 10), 60 * MINUTE_MS)
}

/** Notices are sent from 8:00 until 20:30 in Rome. */
const OPENS = '08:00'
const CLOSES = '20:30'

const romeTime = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  hour: '2-digit',
  minute: '2-digit',
})

/** 8:00 in Rome of the day that begins at `midnight`: on the days of a clock change that is not eight hours later. */
function opening(midnight: number): number {
  const found = [7, 8, 9]
    .map((hours) => midnight + hours * HOUR_MS)
    .find((time) => romeTime.format(time) === OPENS)
  return found ?? midnight + 8 * HOUR_MS
}

/** The first time at which a notice may be sent: now, or the next opening. Milliseconds since 1970. */
export function nextSendingTime(now: number): number {
  const time = romeTime.format(now)
  if (time >= OPENS && time < CLOSES) return now
  const today = dayOf(now)
  const midnight = time < OPENS ? endOfDay(addDays(today, -1)) : endOfDay(today)
  return opening(midnight)
}

/** The next opening after today. */
function nextDay(now: number): number {
  return opening(endOfDay(dayOf(now)))
}

/** The number of an order as a customer may see it; undefined where it could be something else. */
export function shownNumber(number: string | null): string | undefined {
  const text = cleanValue(number ?? '')
  return /^(?=.*\d)[\w.#/-]{1,20}$/.test(text) ? text : undefined
}
