import type { AuditAction } from '@bancone/contract/audit-actions'
import type { AuthContext, Caller } from './auth-context.ts'

/** Days for which an address counts as known. */
const KNOWN_DAYS = 90

/** Queried for an unknown user too, so that it takes the same time. */
export const UNKNOWN_USER_ID = '00000000-0000-0000-0000-000000000000'

/** Whether the user has done one of these actions from that address lately. */
export async function isKnownAddress(
  { audit, clock }: Pick<AuthContext, 'audit' | 'clock'>,
  userId: string,
  { address }: Caller,
  actions: readonly AuditAction[],
): Promise<boolean> {
  const since = new Date(clock.now() - KNOWN_DAYS * 86_400_000).toISOString()
  const found = await Promise.all(
    actions.map((action) => audit.exists({ action, userId, address }, since)),
  )
  return found.includes(true)
}
