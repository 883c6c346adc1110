import { addDays, DAY_MS, dayOf, endOfDay, HOUR_MS, MINUTE_MS, ROME } from '@bancone/contract/dates'
import type { WhatsAppState } from '@bancone/contract/whatsapp'
import type { MessageReason, NoticeKind } from '@bancone/contract/whatsapp-messages'

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
  connection: { state: WhatsAppState; quality: string | null } | null
  /** Null: it is not known whom to write to. */
  contact: {
    hasConsent: boolean
    isUnreachable: boolean
    pausedUntil: number | null
    lastInboundAt: number | null
  } | null
  /** Null for a message about no order. */
  order: {
    isCancelled: boolean
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
  return waitOf(facts, now) ?? { kind: 'send', by: wayOf(facts, now) }
}

/** Why a message is not sent at all. */
function refusalOf(facts: SendingFacts, now: number): Decision | undefined {
  const { kind, isAutomatic, contact, order } = facts
  const notified = isNoticeKind(kind) ? order : null
  const fail = (reason: MessageReason): Decision =>
    isAutomatic ? { kind: 'remove' } : { kind: 'failed', reason }
  if (!facts.isOn) return fail('off')
  if (facts.expiresAt <= now) return { kind: 'failed', reason: 'late' }
  if (!contact) return fail('no_consent')
  if (notified) {
    if (!contact.hasConsent) return fail('no_consent')
    if (notified.isCancelled) return fail('cancelled')
    if (!notified.hasNumber)
      return isAutomatic ? { kind: 'held_back', reason: 'no_number' } : fail('no_number')
    // A call names neither the order nor a product, and is for a customer who waits at the counter.
    if (isAutomatic && kind === 'ready' && notified.products)
      return { kind: 'held_back', reason: notified.products }
    if (contact.isUnreachable) return { kind: 'failed', reason: 'not_on_whatsapp' }
    return undefined
  }
  return isWindowOpen(contact.lastInboundAt, now) ? undefined : fail('window_closed')
}

/** What a message waits for. Calls are of no use later. */
function waitOf(facts: SendingFacts, now: number): Decision | undefined {
  const { kind, connection, contact } = facts
  const isNotice = isNoticeKind(kind)
  const wait = (reason: MessageReason, until: number): Decision =>
    kind === 'call' && until > facts.expiresAt
      ? { kind: 'failed', reason }
      : { kind: 'wait', reason, until }
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

/** Free text is free of charge and needs no approval; Meta delivers it in the window only. */
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

/** The values of a notice. None of them says what was ordered. */
export type NoticeValues = {
  /** The number of the order. */
  number: string
  pharmacy: string
  /** Of the pharmacy's public page, or of the customer's page. */
  link: string
  /** Where the customer is called to. */
  desk: string
}

export type Notice = {
  /** Free text, for the time in which Meta delivers it. */
  text(values: NoticeValues): string
  /** The name of the template at Meta. Another text needs another name. */
  name: string
  /** With `{{1}}`, …; Meta lets none begin or end with a variable. */
  body: string
  values(values: NoticeValues): string[]
  samples: readonly string[]
  /** A button that leads to the pharmacy's page. */
  button?: string
}

/** Both ways to address a customer. */
const stops = {
  lei: 'Per non ricevere altri avvisi risponda STOP.',
  tu: 'Per non ricevere altri avvisi rispondi STOP.',
}
const ready = {
  lei: 'Buongiorno, la Sua richiesta {{1}} è pronta per il ritiro presso {{2}}.',
  tu: 'Ciao, la tua richiesta {{1}} è pronta per il ritiro presso {{2}}.',
}
const arrival = {
  lei: 'Buongiorno, per la Sua richiesta {{1}}: quando arriva presso {{2}} apra {{3}} e prema «Sono in farmacia», così La chiamiamo appena possibile.',
  tu: 'Ciao, per la tua richiesta {{1}}: quando arrivi presso {{2}} apri {{3}} e premi «Sono in farmacia», così ti chiamiamo appena possibile.',
}
const turn = {
  lei: 'È il Suo turno per la richiesta {{1}} presso {{2}}: venga, La aspettiamo qui: {{3}}.',
  tu: 'È il tuo turno per la richiesta {{1}} presso {{2}}: vieni, ti aspettiamo qui: {{3}}.',
}

export function noticeTexts(saysTu: boolean): Record<NoticeKind, Notice> {
  const form = saysTu ? 'tu' : 'lei'
  const ending = saysTu ? '1' : 'lei_1'
  const stop = stops[form]
  return {
    ready: {
      text: ({ number, pharmacy, link }) =>
        `${filled(ready[form], [number, pharmacy])} Orari e dettagli: ${link}\n\n${stop}`,
      name: `bancone_ordine_pronto_${ending}`,
      body: `${ready[form]}\n\n${stop}`,
      values: ({ number, pharmacy }) => [number, pharmacy],
      samples: ['1042', 'Farmacia San Marco'],
      button: 'Orari e dettagli',
    },
    link: {
      text: ({ number, pharmacy, link }) =>
        `${filled(arrival[form], [number, pharmacy, link])}\n\n${stop}`,
      name: `bancone_link_arrivo_${ending}`,
      body: `${arrival[form]}\n\n${stop}`,
      values: ({ number, pharmacy, link }) => [number, pharmacy, link],
      samples: [
        '1042',
        'Farmacia San Marco',
        'https://bancone.example.it/priority/PHARM-0001/recA1b2#t=xyz',
      ],
    },
    call: {
      text: ({ number, pharmacy, desk }) =>
        `${filled(turn[form], [number, pharmacy, desk])}\n\n${stop}`,
      name: `bancone_chiamata_${ending}`,
      body: `${turn[form]}\n\n${stop}`,
      values: ({ number, pharmacy, desk }) => [number, pharmacy, desk],
      samples: ['1042', 'Farmacia San Marco', 'Banco 2'],
    },
  }
}

/** Meta refuses line breaks, tabs and many spaces in a value. */
export const cleanValue = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)

/** The text with its values. */
export function filled(body: string, values: readonly string[]): string {
  return body.replaceAll(/\{\{(\d+)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? '')
}

/** The texts that answer a customer who has written that notices shall end, or shall come. */
export const answers = (saysTu: boolean) => ({
  stop: (pharmacy: string) =>
    saysTu
      ? `Va bene, ${pharmacy} non ti manderà altri avvisi. Per riceverli di nuovo scrivi AVVISAMI.`
      : `Va bene, ${pharmacy} non Le manderà altri avvisi. Per riceverli di nuovo scriva AVVISAMI.`,
  start: (pharmacy: string) =>
    saysTu
      ? `Va bene, ${pharmacy} ti avviserà qui quando i tuoi ordini sono pronti. Per smettere scrivi STOP.`
      : `Va bene, ${pharmacy} La avviserà qui quando i Suoi ordini sono pronti. Per smettere scriva STOP.`,
})

/** The number of an order as a customer may see it; undefined where it could be something else. */
export function shownNumber(number: string | null): string | undefined {
  const text = cleanValue(number ?? '')
  return /^(?=.*\d)[\w.#/-]{1,20}$/.test(text) ? text : undefined
}
