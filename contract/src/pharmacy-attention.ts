import { z } from 'zod/mini'
import { addDays, DAY_MS, dayOf, formatShortDay, MINUTE_MS } from './dates.ts'
import { IMAGE_QUOTA_BYTES } from './images.ts'
import type { SourceFailure } from './order-health.ts'
import { PLAN_GRACE_DAYS } from './subscription-plans.ts'

/** `red`: something does not work. `yellow`: something will not work soon, or looks unusual. */
export const Light = z.enum(['red', 'yellow', 'green'])
export type Light = z.infer<typeof Light>

/** What the light of a pharmacy depends on. Times are ISO 8601, sizes are in bytes. */
export type AttentionFacts = {
  isActive: boolean
  createdAt: string
  /** The last sign-in or refresh of a session. */
  lastSeenAt: string | null
  lastOrderAt: string | null
  copyError: SourceFailure | null
  /** The last successful reading. */
  lastReadAt: string | null
  missingColumns: readonly string[]
  /** Changes not yet written to Airtable, and the time of the oldest. */
  waitingChanges: number
  waitingSince: string | null
  quarantined: number
  activeOffers: number
  /** Null for any number. */
  maxOffers: number | null
  imageBytes: number
  failedJobs: number
  /** `yyyy-MM-dd`; null for no end. */
  planValidUntil: string | null
}

export type Attention = { light: Light; reasons: { light: 'red' | 'yellow'; text: string }[] }

/** A plan's end is announced that many days before. */
const PLAN_NOTICE_DAYS = 14

/** Days without use, or without an order. */
const QUIET_DAYS = 14

/** The part of a limit above which it is nearly reached. */
const NEARLY = 0.9

/** What does not pass by itself. */
const copyErrors: Record<SourceFailure, { isLasting: boolean; text: string }> = {
  denied: { isLasting: true, text: "Airtable rifiuta l'accesso: controlla il token e la base" },
  not_found: { isLasting: true, text: 'Airtable non trova la base o la tabella' },
  refused: { isLasting: true, text: 'Airtable rifiuta la lettura della tabella' },
  unreachable: { isLasting: false, text: 'Airtable non risponde' },
  rate_limited: { isLasting: false, text: 'Airtable limita le richieste' },
  internal: { isLasting: false, text: 'Gli ordini letti da Airtable non si salvano' },
}

/** Why the copy of the orders fails, in Italian. */
export function copyErrorText(kind: SourceFailure): string {
  return copyErrors[kind].text
}

/** Days until the last day of a plan, by the calendar of Rome; negative after it. @param now milliseconds since 1970 */
export function daysLeft(validUntil: string, now: number): number {
  return Math.round((Date.parse(validUntil) - Date.parse(dayOf(now))) / DAY_MS)
}

/**
 * Whether a pharmacy needs attention, and why. Reasons are in Italian, red ones first. A pharmacy that an administrator
 * has deactivated needs none.
 *
 * @param now milliseconds since 1970
 */
export function attentionOf(facts: AttentionFacts, now: number): Attention {
  if (!facts.isActive) return { light: 'green', reasons: [] }
  const red: string[] = []
  const yellow: string[] = []
  copy(facts, now, red, yellow)
  plan(facts, now, red, yellow)
  if (facts.failedJobs > 0) {
    yellow.push(
      counted(
        facts.failedJobs,
        'operazione in background non riesce',
        'operazioni in background non riescono',
      ),
    )
  }
  limits(facts, yellow)
  quiet(facts, now, yellow)
  const reasons = [
    ...red.map((text) => ({ light: 'red', text }) as const),
    ...yellow.map((text) => ({ light: 'yellow', text }) as const),
  ]
  return { light: reasons[0]?.light ?? 'green', reasons }
}

function copy(facts: AttentionFacts, now: number, red: string[], yellow: string[]): void {
  const { copyError, lastReadAt, missingColumns, waitingChanges, waitingSince, quarantined } = facts
  if (copyError) {
    const { isLasting, text } = copyErrors[copyError]
    const isLong = lastReadAt === null || now - Date.parse(lastReadAt) > 60 * MINUTE_MS
    const since = lastReadAt === null ? ' (mai letta)' : ''
    ;(isLasting || isLong ? red : yellow).push(`${text}${since}`)
  }
  if (waitingChanges > 0 && waitingSince !== null) {
    const minutes = (now - Date.parse(waitingSince)) / MINUTE_MS
    const text = counted(
      waitingChanges,
      'modifica aspetta Airtable',
      'modifiche aspettano Airtable',
    )
    if (minutes > 60) red.push(text)
    else if (minutes > 10) yellow.push(text)
  }
  if (missingColumns.length > 0) {
    const all = missingColumns.map((name) => `«${name}»`).join(', ')
    yellow.push(
      `Nella tabella ${missingColumns.length === 1 ? 'manca la colonna' : 'mancano le colonne'} ${all}`,
    )
  }
  if (quarantined > 0)
    yellow.push(counted(quarantined, 'ordine non leggibile', 'ordini non leggibili'))
}

function plan({ planValidUntil }: AttentionFacts, now: number, red: string[], yellow: string[]) {
  if (planValidUntil === null) return
  const left = daysLeft(planValidUntil, now)
  const day = formatShortDay(planValidUntil)
  if (left < -PLAN_GRACE_DAYS) red.push(`Piano scaduto il ${day}: le funzioni sono sospese`)
  else if (left < 0) {
    const last = formatShortDay(addDays(planValidUntil, PLAN_GRACE_DAYS))
    yellow.push(`Piano scaduto il ${day}: le funzioni restano fino al ${last}`)
  } else if (left === 0) yellow.push('Il piano scade oggi')
  else if (left <= PLAN_NOTICE_DAYS) {
    yellow.push(left === 1 ? 'Il piano scade domani' : `Il piano scade tra ${left} giorni`)
  }
}

function limits({ activeOffers, maxOffers, imageBytes }: AttentionFacts, yellow: string[]): void {
  const used = `${activeOffers} offerte attive su ${maxOffers}`
  if (maxOffers !== null && activeOffers > maxOffers) yellow.push(`Oltre il limite: ${used}`)
  else if (maxOffers !== null && activeOffers > 0 && activeOffers === maxOffers) {
    yellow.push(`Limite raggiunto: ${used}`)
  } else if (maxOffers !== null && activeOffers > 0 && activeOffers >= maxOffers * NEARLY) {
    yellow.push(`Vicina al limite: ${used}`)
  }
  if (imageBytes >= IMAGE_QUOTA_BYTES * NEARLY) {
    const percent = Math.floor((imageBytes / IMAGE_QUOTA_BYTES) * 100)
    yellow.push(`Spazio per le immagini usato al ${percent}%`)
  }
}

function quiet(facts: AttentionFacts, now: number, yellow: string[]): void {
  const { createdAt, lastSeenAt, lastOrderAt } = facts
  const days = (time: string) => Math.floor((now - Date.parse(time)) / DAY_MS)
  if (lastSeenAt === null) {
    if (days(createdAt) >= QUIET_DAYS) yellow.push('Nessun accesso da quando è stata creata')
  } else if (days(lastSeenAt) >= QUIET_DAYS) {
    yellow.push(`Nessun accesso da ${days(lastSeenAt)} giorni`)
  }
  // Without any order, it may not use them.
  if (lastOrderAt !== null && days(lastOrderAt) >= QUIET_DAYS) {
    yellow.push(`Nessun ordine da ${days(lastOrderAt)} giorni`)
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
