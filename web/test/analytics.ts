import type {
  Analytics,
  AnalyticsPeriod,
  AnalyticsPoint,
  AnalyticsSummary,
  OrderAnalytics,
  PickupFigures,
} from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import { addDays } from '@bancone/contract/dates'

/** The morning of Monday 23 November 2026 in Rome. */
export const NOW = '2026-11-23T09:32:00.000Z'

/** The n-th day of the last seven, n views on the first. It begins at midnight in Rome. */
function point(n: number): AnalyticsPoint {
  const day = addDays('2026-11-16', n)
  return {
    at: `${day}T23:00:00.000Z`,
    views: [100, 120, 180, 150, 300, 250, 134][n] ?? 0,
    uniqueVisitors: [40, 45, 80, 60, 110, 90, 52][n] ?? 0,
    offersOpened: 30,
    whatsappTaps: 6,
    total: 8,
    completed: 5,
    cancelled: 1,
    pending: 2,
    processing: 2,
  }
}

export function summaryOf(traits: Partial<AnalyticsSummary> = {}): AnalyticsSummary {
  const summary = {
    totalPageViews: 1234,
    uniqueVisitors: 110,
    dailyVisitors: 68.1,
    visits: 560,
    offersOpened: 210,
    whatsappTaps: 42,
    callTaps: 12,
    excluded: 96,
    totalOrders: 56,
    completedOrders: 35,
    cancelledOrders: 7,
    processingOrders: 14,
    ...traits,
  }
  return {
    ...summary,
    conversionRate: rate(summary.totalOrders, summary.totalPageViews),
    completionRate: rate(summary.completedOrders, summary.totalOrders),
  }
}

/** The figures of Tuesday 17 to Monday 23 November 2026, with a tenth more views than before. */
export function analyticsOf(traits: Partial<Analytics> = {}): Analytics {
  const points = Array.from({ length: 7 }, (_, n) => point(n))
  return {
    period: lastWeek,
    source: 'database',
    syncedAt: null,
    isStale: false,
    ordersFailed: false,
    isLive: false,
    updatedAt: NOW,
    bucket: 'day',
    points,
    compared: { dal: '2026-11-10', al: '2026-11-16', until: null },
    previousPoints: points.map(({ views, total }, n) => ({
      at: `${addDays('2026-11-09', n)}T23:00:00.000Z`,
      views: Math.round(views * 0.9),
      total,
    })),
    summary: summaryOf(),
    previous: summaryOf({ totalPageViews: 1102, uniqueVisitors: 120, totalOrders: 56 }),
    notes: [
      { id: null, day: '2026-11-18', kind: 'published', text: 'Crema mani pubblicata' },
      {
        id: '0b1c8f6e-2d0a-4c1e-9f6f-0c7b8d1e2f3a',
        day: '2026-11-21',
        kind: 'own',
        text: 'Volantino nelle buche',
      },
    ],
    firstDay: '2025-10-20',
    ...traits,
  }
}

export const lastWeek: AnalyticsPeriod = {
  dal: '2026-11-17',
  al: '2026-11-23',
  confronto: 'precedente',
}

export function offerFunnel(n: number, traits: Partial<OfferFunnel> = {}): OfferFunnel {
  return {
    offerId: `1f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d${String(n).padStart(2, '0')}`,
    name: `Offerta ${n}`,
    imageUrl: null,
    state: 'active',
    lostPicture: false,
    seen: 500 - n * 60,
    opened: 60 - n * 7,
    whatsappTaps: 12 - n,
    ordered: null,
    ...traits,
  }
}

/** Saturday from 10 to 11 is the best hour. */
export function trafficOf(traits: Partial<Traffic> = {}): Traffic {
  return {
    period: lastWeek,
    weekHours: Array.from({ length: 7 }, (_day, day) =>
      Array.from({ length: 24 }, (_hour, hour) => {
        if (day === 5 && hour === 10) return 48
        return hour < 7 || hour > 22 ? 0 : ((day + 2) * (24 - Math.abs(hour - 17))) % 37
      }),
    ),
    sources: [
      { source: 'flyer', views: 530 },
      { source: 'direct', views: 310 },
      { source: 'whatsapp', views: 220 },
      { source: 'search', views: 120 },
      { source: 'social', views: 54 },
    ],
    devices: [
      { device: 'phone', views: 962 },
      { device: 'computer', views: 220 },
      { device: 'tablet', views: 52 },
    ],
    excluded: [
      { reason: 'bot', amount: 60 },
      { reason: 'preview', amount: 21 },
      { reason: 'staff', amount: 11 },
      { reason: 'privacy', amount: 4 },
      { reason: 'limit', amount: 0 },
    ],
    funnel: { views: 1234, opened: 210, whatsappTaps: 42, ordered: null },
    offers: [
      offerFunnel(1),
      offerFunnel(2, { state: 'ended' }),
      offerFunnel(3, { lostPicture: true }),
      offerFunnel(4, { name: null, state: 'gone' }),
    ],
    attention: [offerFunnel(2, { state: 'ended' }), offerFunnel(3, { lostPicture: true })],
    ...traits,
  }
}

export function pickupFigures(traits: Partial<PickupFigures> = {}): PickupFigures {
  return {
    ready: 20,
    readyMedian: 200,
    readyP90: 1440,
    collected: 14,
    collectedMedian: 300,
    collectedP90: 2880,
    notCollected: 2,
    ...traits,
  }
}

export function orderAnalyticsOf(traits: Partial<OrderAnalytics> = {}): OrderAnalytics {
  return {
    period: lastWeek,
    waits: {
      confirmed: 35,
      medianMinutes: 14,
      p90Minutes: 75,
      hours: Array.from({ length: 24 }, (_, hour) => {
        const confirmed = hour >= 8 && hour < 20 ? 3 : 0
        return { hour, confirmed, medianMinutes: confirmed ? 8 + (hour === 13 ? 42 : hour) : null }
      }),
    },
    pickups: {
      ...pickupFigures({ ready: 120, collected: 96, notCollected: 9 }),
      weekdays: Array.from({ length: 7 }, (_, n) =>
        n < 6
          ? pickupFigures({ readyMedian: 180 + 30 * n, notCollected: n === 4 ? 4 : 1 })
          : pickupFigures({
              ready: 0,
              readyMedian: null,
              readyP90: null,
              collected: 0,
              collectedMedian: null,
              collectedP90: null,
              notCollected: 0,
            }),
      ),
      previous: { ready: 110, readyMedian: 240 },
      hasBegun: true,
    },
    priority: null,
    ...traits,
  }
}
