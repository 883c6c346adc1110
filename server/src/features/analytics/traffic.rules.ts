import {
  MAX_FUNNEL_OFFERS,
  type OfferFunnel,
  type Traffic,
} from '@bancone/contract/analytics-traffic'
import { sum } from './analytics.rules.ts'
import type { PageViewDay } from './page-view-figures.store.ts'
import type { CountedOffer, Shares } from './traffic.store.ts'

/** The funnel of all offers together. */
export function funnelOf(days: readonly PageViewDay[], hasOrderCodes: boolean): Traffic['funnel'] {
  return {
    views: sum(days, (day) => day.views),
    opened: sum(days, (day) => day.offersOpened),
    whatsappTaps: sum(days, (day) => day.whatsappTaps),
    ordered: hasOrderCodes ? sum(days, (day) => day.codedOrders) : null,
  }
}

/** Seven lists of 24 hours, Monday first. */
export function weekOf(rows: readonly { weekday: number; hour: number; views: number }[]) {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  for (const { weekday, hour, views } of rows) {
    const day = week[weekday - 1]
    if (day) day[hour] = views
  }
  return week
}

/** @param shares null where they cannot be read */
export function sharesOf(shares: Shares | null): Pick<Traffic, 'sources' | 'devices' | 'excluded'> {
  if (shares === null) return { sources: null, devices: null, excluded: null }
  return {
    sources: shares.sources.map(({ value, amount }) => ({ source: value, views: amount })),
    devices: shares.devices.map(({ value, amount }) => ({ device: value, views: amount })),
    excluded: shares.excluded.map(({ value, amount }) => ({ reason: value, amount })),
  }
}

/** @param counted by their position; null where they cannot be read */
export function offersOf(
  counted: readonly CountedOffer[] | null,
  hasOrderCodes: boolean,
): Pick<Traffic, 'offers' | 'attention'> {
  if (counted === null) return { offers: null, attention: null }
  const shown = ({ position: _, ...offer }: CountedOffer): OfferFunnel =>
    hasOrderCodes ? offer : { ...offer, ordered: null }
  return {
    offers: counted.filter(({ position }) => position <= MAX_FUNNEL_OFFERS).map(shown),
    attention: counted.filter(needsAttention).slice(0, MAX_FUNNEL_OFFERS).map(shown),
  }
}

/** Customers looked at the offer, and it has ended, or they cannot see its picture any more. */
function needsAttention({ state, lostPicture }: OfferFunnel): boolean {
  return state === 'ended' || (lostPicture && state !== 'gone')
}
