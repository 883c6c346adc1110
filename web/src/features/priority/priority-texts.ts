import { MINUTE_MS } from '@bancone/contract/dates'
import { normalizeDisplayName } from '@bancone/contract/display-name'
import { type PrioritySession, staffTransitions } from '@bancone/contract/priority'
import type { ApiError } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'

/** The customer's name, or 'Cliente #' with the end of the order's id. */
export function customerName(session: Pick<PrioritySession, 'customerName' | 'recordId'>): string {
  // It may come from what a customer has typed elsewhere, with characters that turn the text around it.
  return (
    normalizeDisplayName(session.customerName ?? '') || `Cliente #${session.recordId.slice(-4)}`
  )
}

/** The number of the order, or its id. */
export function orderText(session: Pick<PrioritySession, 'orderNumber' | 'recordId'>): string {
  return session.orderNumber ?? session.recordId
}

/** Whole minutes since the arrival. The clocks of server and device may differ. */
export function minutesWaiting(session: Pick<PrioritySession, 'arrivedAt'>, now: number): number {
  if (session.arrivedAt === null) return 0
  return Math.max(0, Math.floor((now - Date.parse(session.arrivedAt)) / MINUTE_MS))
}

/** 'da 4 minuti'. */
export function waitText(minutes: number): string {
  if (minutes === 0) return 'da meno di un minuto'
  return minutes === 1 ? 'da 1 minuto' : `da ${formatNumber(minutes)} minuti`
}

/** 'Attende da molto: 12 minuti'. */
export function longWaitText(minutes: number): string {
  return `Attende da molto: ${minutes === 1 ? '1 minuto' : `${formatNumber(minutes)} minuti`}`
}

/** 'già segnalato 2 volte': how often the customer has said that they were there, and was not. */
export function notPresentText(times: number): string {
  return times === 1 ? 'già segnalato 1 volta' : `già segnalato ${times} volte`
}

/** The outcome of a completed session, beside 'Completato'. */
export function outcomeText({ status, calledBy }: PrioritySession): string {
  switch (status) {
    case 'served':
      return 'Consegnato'
    case 'no_show':
      return 'Non presente'
    case 'cancelled':
      return 'Annullato'
    case 'expired':
      return 'Scaduto'
    case 'link_sent':
    case 'on_the_way':
    case 'user_arrived':
    case 'called':
      return calledBy === null ? 'Chiamato' : `Chiamato da ${calledBy}`
  }
}

/** Why a change came too late, from the details of `priority.changed_meanwhile`. */
export function lostRaceText({ details }: Pick<ApiError, 'details'>): string {
  const desk = details?.['desk']
  const status = details?.['status']
  if (status === 'called' && desk) return `Chiamato da ${desk}`
  if (status === 'called') return 'Già chiamato da un altro banco'
  return 'Lo stato del cliente è già stato cambiato'
}

/** Whether a call can be taken back. */
export function canReturn({ status }: PrioritySession): boolean {
  return staffTransitions[status].includes('user_arrived')
}
