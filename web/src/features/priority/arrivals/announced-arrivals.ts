import type { PriorityVisit } from '@bancone/contract/priority'
import { tabStorage } from '../../../lib/browser-storage.ts'

const KEY = 'bancone-announced-arrivals'
/** More than can wait at a counter. */
const MAX_STORED = 200

/** A customer who was sent back arrives again: that is another arrival of the same visit. */
export function arrivalKey({ id, arrivedAt }: PriorityVisit): string {
  return `${id}@${arrivedAt ?? ''}`
}

/** The arrivals that were not announced in this tab before; from now on they were. A reload does not forget them. */
export function takeUnannounced(visits: readonly PriorityVisit[]): PriorityVisit[] {
  const known = (tabStorage.getItem(KEY) ?? '').split(' ').filter(Boolean)
  const news = visits.filter((visit) => !known.includes(arrivalKey(visit)))
  if (news.length > 0) {
    tabStorage.setItem(KEY, [...known, ...news.map(arrivalKey)].slice(-MAX_STORED).join(' '))
  }
  return news
}
