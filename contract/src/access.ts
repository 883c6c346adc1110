import { z } from 'zod'

/** The optional features a pharmacy can have (ids as they are stored in `features_enabled`). */
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
 * What somebody of a pharmacy is there. An owner decides who works there and what programs may do; the
 * pharmacy's own account is one.
 */
export const Role = z.enum(['owner', 'staff'])
export type Role = z.infer<typeof Role>

/**
 * Who may call an endpoint. `feature` narrows `pharmacy` to those that have it, `role` to its owners.
 * `pharmacy-or-key`: a session of the pharmacy, or a program with one of its API keys. `account`: everybody
 * signed in, for what is their own. Whoever has a second factor, or must have one, is let in nowhere
 * without it.
 */
export type Access =
  | 'public'
  | 'account'
  | 'pharmacy'
  | 'admin'
  | 'pharmacy-or-admin'
  | 'pharmacy-or-key'

/**
 * `features_enabled` is stored either as a list of ids or as an object of booleans; both mean the
 * same. Ids that are not known are ignored.
 *
 * @param stored the column as it was read: anything
 * @returns the known features that are on, in the order of `Feature`
 */
export function resolveFeatures(stored: unknown): Feature[] {
  if (Array.isArray(stored)) return Feature.options.filter((id) => stored.includes(id))
  if (typeof stored !== 'object' || stored === null) return []
  const flags = new Map<string, unknown>(Object.entries(stored))
  return Feature.options.filter((id) => flags.get(id) === true)
}

/** What a pharmacy may do: the one resolver that routes use and the navigation mirrors. */
export function can(pharmacy: { features: readonly Feature[] }, feature: Feature): boolean {
  return pharmacy.features.includes(feature)
}
