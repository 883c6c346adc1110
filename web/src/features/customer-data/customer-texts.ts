import type { CustomerDataCounts, CustomerErasure } from '@bancone/contract/customer-data'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { formatCount, formatDateTime, formatNumber } from '../../lib/format.ts'

/** '+39 333 123 4567' */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}

export const ordersText = (count: number) => formatCount(count, 'ordine', 'ordini')
export const prioritySessionsText = (count: number) => formatCount(count, 'visita', 'visite')
export const messagesText = (count: number) => formatCount(count, 'messaggio', 'messaggi')

/** A count of orders with the numbers that are known. */
function listed(text: string, count: number, numbers: readonly string[]): string {
  if (numbers.length === 0) return text
  const others = count - numbers.length
  const rest = others === 1 ? ' e un altro' : others > 1 ? ` e altri ${formatNumber(others)}` : ''
  return `${text}: ${numbers.join(', ')}${rest}`
}

export function airtableText(count: number, numbers: readonly string[]): string {
  return listed(`${ordersText(count)} in Airtable`, count, numbers)
}

/** Why nothing is erased: orders of the customer are held. */
export function heldText(count: number, numbers: readonly string[]): string {
  const which = listed(`L'eliminazione è bloccata per ${ordersText(count)}`, count, numbers)
  return `${which}. Sbloccala nei dettagli ${count === 1 ? "dell'ordine" : 'degli ordini'}, oppure spiega al cliente perché conservi i suoi dati.`
}

/** What an erasure does, before it is done. */
export function erasureWarning(counts: CustomerDataCounts) {
  const { orders, waitingOrders, airtableOrders, prioritySessions, messages, isContact } = counts
  const sentences = [
    orders > 0 &&
      `${ordersText(orders)} ${orders === 1 ? 'diventa anonimo' : 'diventano anonimi'}: restano numero, date e stato.`,
    waitingOrders === 1 && 'Quello in attesa viene annullato.',
    waitingOrders > 1 && `I ${formatNumber(waitingOrders)} in attesa vengono annullati.`,
    prioritySessions > 0 && 'Le visite restano senza nome, numero e luogo.',
    (messages > 0 || isContact) && 'Messaggi e contatto di WhatsApp si eliminano.',
    'È definitivo.',
    airtableOrders > 0 && 'Gli ordini in Airtable restano, senza note private: eliminali lì.',
  ]
  return sentences.filter(Boolean).join(' ')
}

/** What an erasure has done. */
export function receiptText({ erasedAt, ...counts }: CustomerErasure): string {
  const { orders, prioritySessions, messages, isContact, airtableOrders } = counts
  const erased = [
    orders > 0 && ordersText(orders),
    prioritySessions > 0 && prioritySessionsText(prioritySessions),
    messages > 0 && messagesText(messages),
    isContact && 'il contatto di WhatsApp',
  ].filter(Boolean)
  const when = `Eliminati il ${formatDateTime(erasedAt).replace(' ', ' alle ')}`
  if (erased.length > 0) return `${when}: ${erased.join(', ')}`
  if (airtableOrders > 0) return 'Restano gli ordini in Airtable, senza le note private.'
  // It was done in another tab, or by a request whose response was lost.
  return "Non c'era più nulla da eliminare."
}
