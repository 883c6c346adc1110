import { DAY_MS, HOUR_MS, MINUTE_MS } from '@bancone/contract/dates'
import { LATE_AFTER_MS } from '@bancone/contract/orders'
import { formatCount } from '../../../lib/format.ts'

/** Age from which an order needs attention. */
const DUE_MS = 30 * MINUTE_MS

export type Ageing = {
  level: 'quiet' | 'due' | 'late'
  /** 'da 45 min', 'da 3 ore', 'da 2 giorni' */
  text: string
}

type Waiting = { status: string; created: string }

/** How long an order has been waiting; null when its status is not 'In attesa' or its date is invalid. */
export function ageing({ status, created }: Waiting, now: number): Ageing | null {
  const since = Date.parse(created)
  if (status !== 'In attesa' || Number.isNaN(since)) return null
  const age = now - since
  const level = age < DUE_MS ? 'quiet' : age < LATE_AFTER_MS ? 'due' : 'late'
  return { level, text: ageText(age) }
}

function ageText(age: number): string {
  // The clock of the order source may be ahead of the browser's.
  if (age < MINUTE_MS) return 'da poco'
  if (age < HOUR_MS) return `da ${Math.floor(age / MINUTE_MS)} min`
  if (age < DAY_MS) return `da ${formatCount(Math.floor(age / HOUR_MS), 'ora', 'ore')}`
  return `da ${formatCount(Math.floor(age / DAY_MS), 'giorno', 'giorni')}`
}
