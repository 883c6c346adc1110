import { Period } from '@bancone/contract/orders'
import type { OrdersListQuery } from '../data/orders-search.ts'

const texts: Record<Period, string> = {
  oggi: 'Oggi',
  ieri: 'Ieri',
  'ultimi-7-giorni': 'Ultimi 7 giorni',
  'ultimi-30-giorni': 'Ultimi 30 giorni',
  'questo-mese': 'Questo mese',
  'mese-scorso': 'Mese scorso',
}

export const periods = Period.options.map((period) => ({ period, text: texts[period] }))

/** `dd/MM/yyyy` of `yyyy-MM-dd`. */
function italian(day: string): string {
  return day.split('-').reverse().join('/')
}

/** The selected dates as text; null when none are selected. */
export function periodText({ periodo, dal, al }: OrdersListQuery): string | null {
  if (dal !== undefined && al !== undefined) {
    return dal === al ? `Il ${italian(dal)}` : `Dal ${italian(dal)} al ${italian(al)}`
  }
  if (dal !== undefined) return `Dal ${italian(dal)}`
  if (al !== undefined) return `Fino al ${italian(al)}`
  return periodo === undefined ? null : texts[periodo]
}

/** The chosen statuses; null for all. */
export function statusText({ stato, ritardo, ritiro }: OrdersListQuery): string | null {
  if (ritiro) return ritiro === 'si' ? 'Da ritirare' : 'Non ritirati'
  return ritardo ? 'In ritardo' : (stato?.join(' o ') ?? null)
}

/** The active filters, each as a short text. */
export function filterTexts(query: OrdersListQuery): string[] {
  const words = query.q === undefined ? null : `«${query.q}»`
  return [words, statusText(query), periodText(query)].filter((text) => text !== null)
}
