import { ActivityKind } from '@bancone/contract/account'
import { z } from 'zod'

/** An event of an account in the audit trail. */
export type RecordedEvent = {
  action: string
  userId: string
  /** The user who did it, if not the owner of the account. */
  actorId: string | null
  details: unknown
}

/** Actions that are shown under another name than they are recorded under. */
const renamed: ReadonlyMap<string, ActivityKind> = new Map([
  ['current_password_failed', 'confirmation_failed'],
  ['reauthentication_failed', 'confirmation_failed'],
  ['user_changed', 'account_changed_by_administrator'],
  ['user_invited', 'invited'],
  ['link_generated', 'link_made_by_administrator'],
] as const)

/** Done by another person, whose address and browser are not shown. */
const BY_OTHERS: readonly ActivityKind[] = [
  'account_changed_by_administrator',
  'link_made_by_administrator',
  'factor_removed_by_administrator',
  'invited',
]

/** Used links by purpose. For other links the sign-in or the change itself is shown. */
const links: ReadonlyMap<string, ActivityKind> = new Map([
  ['recovery', 'recovery_link_used'],
] as const)

/** What is shown of the audit trail: actions, and kinds of used links. */
export const SHOWN_ACTIVITY = {
  actions: [...ActivityKind.options, ...renamed.keys()],
  links: [...links.keys()],
} as const

const Details = z.object({
  kind: z.string().optional().catch(undefined),
  method: z.string().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
})

export type ShownActivity = {
  kind: ActivityKind
  method: string | null
  /** Whether the account's owner may see the address and browser. */
  isOwn: boolean
}

/** The event as shown to the account's owner; null when it is not shown. */
export function shownActivityOf({
  action,
  userId,
  actorId,
  details,
}: RecordedEvent): ShownActivity | null {
  const { kind: what, method, scope } = Details.catch({}).parse(details)
  const name = action === 'link_used' ? links.get(what ?? '') : (renamed.get(action) ?? action)
  const known = ActivityKind.safeParse(name)
  if (!known.success) return null
  // Signing out all other devices keeps the current session.
  const kind = known.data === 'signed_out' && scope === 'others' ? 'session_ended' : known.data
  return {
    kind,
    method: kind === 'signed_in' ? (method ?? null) : null,
    isOwn: (actorId === null || actorId === userId) && !BY_OTHERS.includes(kind),
  }
}
