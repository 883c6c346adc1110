import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DEFAULT_MAX_OFFERS, MaxOffers } from './subscription-plans.ts'

const Text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
/** E.164, for example +390612345678; spaces are removed. Empty: none. */
const Phone = z.string().check(
  z.overwrite((text) => text.replaceAll(/[\s().-]/g, '')),
  z.regex(/^(\+[1-9]\d{5,14})?$/),
)

/** How pharmacies reach the people who run the platform. An empty text: no such way. */
export const SupportContact = z.strictObject({
  email: z.union([z.literal(''), z.email().check(z.trim(), z.maxLength(254))]),
  phone: Phone,
  whatsapp: Phone,
  /** For example 'lun–ven 9–18'. */
  hours: Text(200),
})
export type SupportContact = z.infer<typeof SupportContact>

/** For how many days data is kept that the daily jobs delete. */
export const Retention = z.strictObject({
  /** History and notes of an order after it was removed. */
  removedOrderDays: z.int().check(z.minimum(7), z.maximum(365)),
  /** Views of the public pages of offers. */
  pageViewDays: z.int().check(z.minimum(30), z.maximum(1_095)),
})
export type Retention = z.infer<typeof Retention>

export const ORDER_DAYS = { min: 30, max: 730 }

/**
 * For how many days after its last change an order that is in the database only keeps its customer's data; null: as
 * long as the order. Orders that still wait keep them 180 days longer.
 */
export const OrderRetention = z.strictObject({
  orderDays: z.nullable(z.int().check(z.minimum(ORDER_DAYS.min), z.maximum(ORDER_DAYS.max))),
})
export type OrderRetention = z.infer<typeof OrderRetention>

/** What the form of a new plan begins with. */
export const PlanDefaults = z.strictObject({ maxOffers: MaxOffers })

/** A minute of the clock in Rome: `2026-11-23T18:30`. */
export const RomeMinute = z.iso.datetime({ local: true, precision: -1 })

export const NoticeSeverity = z.enum(['info', 'warning', 'critical'])
export type NoticeSeverity = z.infer<typeof NoticeSeverity>

export const MAX_NOTICE_LENGTH = 300

/** A notice to all pharmacies. */
export const PlatformNotice = z
  .strictObject({
    text: Text(MAX_NOTICE_LENGTH).check(z.minLength(1)),
    severity: NoticeSeverity,
    from: RomeMinute,
    until: RomeMinute,
  })
  .check(z.refine(({ from, until }) => until > from, { path: ['until'] }))
export type PlatformNotice = z.infer<typeof PlatformNotice>

/** The schema of each setting. */
export const settingSchemas = {
  support: SupportContact,
  retention: Retention,
  order_retention: OrderRetention,
  plan_defaults: PlanDefaults,
  notice: z.nullable(PlatformNotice),
} as const

/** The values of the settings that were never saved. */
export const initialSettings: {
  [Key in SettingKey]: z.output<(typeof settingSchemas)[Key]>
} = {
  support: { email: '', phone: '', whatsapp: '', hours: '' },
  retention: { removedOrderDays: 30, pageViewDays: 90 },
  // With a default, the first night after an update would remove what a pharmacy may still need.
  order_retention: { orderDays: null },
  plan_defaults: { maxOffers: DEFAULT_MAX_OFFERS },
  notice: null,
}

export const SettingKey = z.enum([
  'support',
  'retention',
  'order_retention',
  'plan_defaults',
  'notice',
])
export type SettingKey = z.infer<typeof SettingKey>

const saved = <Value extends z.ZodMiniType>(value: Value) =>
  z.object({
    value,
    /** Increases with every change; 0 for a setting that was never saved. */
    version: z.int(),
    /** ISO 8601. */
    updatedAt: z.nullable(z.string()),
    /** The email of the administrator who saved it; null when it was never saved, or the account is gone. */
    updatedBy: z.nullable(z.string()),
  })

export const PlatformSettings = z.object({
  support: saved(settingSchemas.support),
  retention: saved(settingSchemas.retention),
  order_retention: saved(settingSchemas.order_retention),
  plan_defaults: saved(settingSchemas.plan_defaults),
  notice: saved(settingSchemas.notice),
})
export type PlatformSettings = z.infer<typeof PlatformSettings>

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/admin/settings',
  summary: 'Get the settings of the platform',
  access: 'admin',
  response: PlatformSettings,
  errors: [],
})

/** `version`: the one that was edited. */
const change = <Key extends SettingKey>(key: Key) =>
  z.strictObject({
    key: z.literal(key),
    version: z.int().check(z.minimum(0)),
    value: settingSchemas[key],
  })

export const SettingChange = z.discriminatedUnion('key', [
  change('support'),
  change('retention'),
  change('order_retention'),
  change('plan_defaults'),
  change('notice'),
])
export type SettingChange = z.infer<typeof SettingChange>

/** Refused when another administrator has changed the setting since that version. */
export const changeSetting = endpoint({
  method: 'PUT',
  path: '/api/admin/settings',
  summary: 'Change a setting of the platform',
  access: 'admin',
  audit: 'setting_changed',
  body: SettingChange,
  response: PlatformSettings,
  errors: ['settings.changed_meanwhile'],
})

/**
 * How many orders the next night would anonymize, with those that are kept because their customers are in contact;
 * null: more than can be counted quickly.
 */
export const previewOrderRetention = endpoint({
  method: 'GET',
  path: '/api/admin/order-retention/preview',
  summary: 'Count the orders whose customer data would be removed',
  access: 'admin',
  query: z.strictObject({
    orderDays: z.coerce
      .number()
      .check(z.int(), z.minimum(ORDER_DAYS.min), z.maximum(ORDER_DAYS.max)),
  }),
  response: z.object({ orders: z.nullable(z.int()) }),
  errors: [],
})

export const getSupportContact = endpoint({
  method: 'GET',
  path: '/api/support-contact',
  summary: 'Get the contact for support',
  access: 'public',
  cacheSeconds: 60,
  response: SupportContact,
  errors: [],
})

/** The notice in force that the user has not dismissed. */
export const CurrentNotice = z.object({
  notice: z.nullable(
    z.object({
      /** Identifies the notice; a notice that was changed has another one. */
      version: z.int(),
      text: z.string(),
      severity: NoticeSeverity,
    }),
  ),
  /** Seconds until a notice begins or ends; null when none will. */
  changesInSeconds: z.nullable(z.int()),
})
export type CurrentNotice = z.infer<typeof CurrentNotice>

export const getNotice = endpoint({
  method: 'GET',
  path: '/api/notice',
  summary: 'Get the notice to all pharmacies that is in force',
  access: 'pharmacy',
  response: CurrentNotice,
  errors: [],
})

export const dismissNotice = endpoint({
  method: 'POST',
  path: '/api/notice/dismissals',
  summary: 'Hide a notice from the signed-in user',
  access: 'pharmacy',
  audit: { none: 'marks what has been read' },
  body: z.strictObject({ version: z.int().check(z.minimum(1)) }),
  response: z.object({}),
  errors: [],
})
