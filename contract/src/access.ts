import { z } from 'zod/mini'

/** The optional features of a pharmacy, by the ids stored in `features_enabled`. */
export const Feature = z.enum([
  'offers',
  'analytics',
  'custom_branding',
  'priority_access',
  'priority_support',
  'whatsapp_integration',
])
export type Feature = z.infer<typeof Feature>

/**
 * The role of a person in a pharmacy. Owners manage colleagues and API keys. The pharmacy's primary account is
 * always an owner.
 */
export const Role = z.enum(['owner', 'staff'])
export type Role = z.infer<typeof Role>

/**
 * Who may call an endpoint.
 * - `public`: any caller, without a session
 * - `account`: any signed-in user, for data of their own account
 * - `pharmacy`: a member of a pharmacy; the endpoint's `feature` and `role` narrow it further
 * - `admin`: an administrator
 * - `pharmacy-or-admin`: either of the two
 * - `pharmacy-or-key`: a session of the pharmacy, or a program with one of its API keys
 *
 * A user who has enrolled a second factor, or is required to, has no access without it.
 */
export type Access =
  | 'public'
  | 'account'
  | 'pharmacy'
  | 'admin'
  | 'pharmacy-or-admin'
  | 'pharmacy-or-key'

/**
 * Reads the column `features_enabled`, which holds either a list of ids or an object of booleans. Unknown ids
 * are ignored.
 *
 * @param stored the unvalidated value of the column
 * @returns the enabled features, in the order of `Feature`
 */
export function resolveFeatures(stored: unknown): Feature[] {
  if (Array.isArray(stored)) return Feature.options.filter((id) => stored.includes(id))
  if (typeof stored !== 'object' || stored === null) return []
  const flags = new Map<string, unknown>(Object.entries(stored))
  return Feature.options.filter((id) => flags.get(id) === true)
}

/** Whether the pharmacy has the feature. Routes and the navigation both use this function. */
export function hasFeature(pharmacy: { features: readonly Feature[] }, feature: Feature): boolean {
  return pharmacy.features.includes(feature)
}
