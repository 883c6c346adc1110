import {
  type Analytics,
  getAnalytics,
  getOrderAnalytics,
  getPresentVisitors,
} from '@bancone/contract/analytics'
import {
  getAnalyticsSettings,
  initialAnalyticsSettings,
} from '@bancone/contract/analytics-settings'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { getOwnPharmacy, type OwnPharmacy } from '@bancone/contract/pharmacies'
import { analyticsOf, orderAnalyticsOf, trafficOf } from './analytics.ts'
import { pharmacy } from './fixtures.ts'
import { serverWith } from './render-app.tsx'

export const withAnalytics: OwnPharmacy = { ...pharmacy, features: ['offers', 'analytics'] }

/** A stub of a pharmacy with analytics; the figures can be replaced. */
export function analyticsServer(figures: Partial<Analytics> = {}) {
  return serverWith([])
    .on(getOwnPharmacy, () => withAnalytics)
    .on(getAnalytics, ({ query: { dal, al, confronto } }) =>
      analyticsOf({ period: { dal, al, confronto }, ...figures }),
    )
    .on(getTraffic, ({ query: { dal, al, confronto } }) =>
      trafficOf({ period: { dal, al, confronto } }),
    )
    .on(getOrderAnalytics, () => orderAnalyticsOf())
    .on(getPresentVisitors, () => ({ visitors: 3, views: 7 }))
    .on(getAnalyticsSettings, () => initialAnalyticsSettings)
}
