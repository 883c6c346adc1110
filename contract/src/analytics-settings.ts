import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

const guard = { access: 'pharmacy', feature: 'analytics' } as const

export const AnalyticsSettings = z.strictObject({
  /** Whether page views are counted at all. */
  isCounting: z.boolean(),
  /** Whether the text of an order over WhatsApp carries a short code, which joins the order with the offer. */
  hasOrderCodes: z.boolean(),
  /** Whether a summary is mailed each Monday to the pharmacy's address. */
  hasWeeklyMail: z.boolean(),
})
export type AnalyticsSettings = z.infer<typeof AnalyticsSettings>

/** The settings of a pharmacy that has changed none. */
export const initialAnalyticsSettings: AnalyticsSettings = {
  isCounting: true,
  hasOrderCodes: false,
  hasWeeklyMail: false,
}

export const getAnalyticsSettings = endpoint({
  method: 'GET',
  path: '/api/analytics/settings',
  summary: 'Get the settings of analytics',
  ...guard,
  supportSession: 'shown',
  response: AnalyticsSettings,
  errors: [],
})

/** Changes only the given settings: another tab may have changed the others meanwhile. */
export const changeAnalyticsSettings = endpoint({
  method: 'PATCH',
  path: '/api/analytics/settings',
  summary: 'Change the settings of analytics',
  audit: 'analytics_settings_changed',
  ...guard,
  role: 'owner',
  body: z.partial(AnalyticsSettings),
  response: AnalyticsSettings,
  errors: [],
})
