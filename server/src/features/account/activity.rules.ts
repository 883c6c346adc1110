import { ActivityKind } from '@bancone/contract/account'
import { z } from 'zod'

/** What was recorded of an account. */
export type RecordedEvent = {
  action: string
  userId: string
  /** Who did it, if not the user. */
  actorId: string | null
  details: unknown
}

/** What is recorded under another name than it is told by. */
const renamed: ReadonlyMap<string, ActivityKind> = new Map([
  ['current_password_failed', 'confirmation_failed'],
  ['reauthentication_failed', 'confirmation_failed'],
  ['user_changed', 'account_changed_by_administrator'],
  ['user_invited', 'invited'],
  ['link_generated', 'link_made_by_administrator'],
] as const)

/** Done by somebody else, whose address and browser are their own business. */
const BY_OTHERS: readonly ActivityKind[] = [
  'account_changed_by_administrator',
  'link_made_by_administrator',
  'factor_removed_by_administrator',
  'invited',
]

/** Links that were used, by what they were for. Of others the sign-in is told, or the change. */
const links: ReadonlyMap<string, ActivityKind> = new Map([
  ['recovery', 'recovery_link_used'],
] as const)

/** What there is to tell in the trail: actions, and kinds of links that were used. */
export const TOLD = {
  actions: [...ActivityKind.options, ...renamed.keys()],
  links: [...links.keys()],
} as const

const Details = z.object({
  kind: z.string().optional().catch(undefined),
  method: z.string().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
})

export type Told = {
  kind: ActivityKind
  method: string | null
  /** Whether where it came from is for the account's owner to see. */
  isOwn: boolean
}

/** What is told to the account's owner; null for what is not. */
export function toldOf({ action, userId, actorId, details }: RecordedEvent): Told | null {
  const { kind: what, method, scope } = Details.catch({}).parse(details)
  const name = action === 'link_used' ? links.get(what ?? '') : (renamed.get(action) ?? action)
  const known = ActivityKind.safeParse(name)
  if (!known.success) return null
  // Whoever leaves every other device stays where they are.
  const kind = known.data === 'signed_out' && scope === 'others' ? 'session_ended' : known.data
  return {
    kind,
    method: kind === 'signed_in' ? (method ?? null) : null,
    isOwn: (actorId === null || actorId === userId) && !BY_OTHERS.includes(kind),
  }
}
