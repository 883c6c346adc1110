import { z } from 'zod/mini'
import { Role } from './access.ts'
import { normalizeDisplayName } from './display-name.ts'
import { endpoint } from './endpoint.ts'

/** The most members of a pharmacy besides its primary account, and the longest name in characters. */
export const MAX_COLLEAGUES = 30
export const COLLEAGUE_NAME_LENGTH = 80

/** How long an invitation link is valid. Long, because the recipient does not expect the mail. */
export const INVITATION_DAYS = 7

/** A member of the pharmacy. Times are ISO 8601. */
export const Colleague = z.object({
  /** The id of the membership, not of the account; for the primary account, the account's id. */
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: Role,
  /** The pharmacy's primary account, which cannot be removed and is always an owner. */
  isPrimary: z.boolean(),
  /** Whether this is the caller. */
  isYou: z.boolean(),
  /** When the last invitation was sent; null for the primary account. */
  invitedAt: z.nullable(z.string()),
  /** Whether the invitation was accepted. */
  hasJoined: z.boolean(),
  lastSignInAt: z.nullable(z.string()),
  secondFactor: z.boolean(),
})
export type Colleague = z.infer<typeof Colleague>

const Name = z
  .string()
  .check(z.overwrite(normalizeDisplayName), z.minLength(1), z.maxLength(COLLEAGUE_NAME_LENGTH))

export const listColleagues = endpoint({
  method: 'GET',
  path: '/api/colleagues',
  summary: 'List the accounts of the pharmacy: the primary one, then by name',
  access: 'pharmacy',
  role: 'owner',
  response: z.object({ colleagues: z.array(Colleague) }),
  errors: [],
})

/** An email address belongs to one account of the platform, so a person who works at two pharmacies needs two. */
export const inviteColleague = endpoint({
  method: 'POST',
  path: '/api/colleagues',
  summary: 'Invite a colleague by email',
  access: 'pharmacy',
  role: 'owner',
  audit: 'user_invited',
  body: z.strictObject({ name: Name, email: z.email().check(z.maxLength(254)), role: Role }),
  response: Colleague,
  status: 201,
  errors: ['colleagues.address_taken', 'colleagues.too_many', 'colleagues.too_many_mails'],
})

/** Owners can change a colleague's name only until the colleague has chosen a name of their own. */
export const changeColleague = endpoint({
  method: 'PATCH',
  path: '/api/colleagues/:colleagueId',
  summary: 'Update the name or the role of a colleague; not the own role',
  access: 'pharmacy',
  role: 'owner',
  audit: 'role_changed',
  params: z.object({ colleagueId: z.uuid() }),
  body: z.strictObject({ name: z.optional(Name), role: z.optional(Role) }),
  response: Colleague,
  errors: ['colleagues.not_found', 'colleagues.name_is_own'],
})

/** Only for a colleague who has not accepted the invitation yet. */
export const inviteColleagueAgain = endpoint({
  method: 'POST',
  path: '/api/colleagues/:colleagueId/invitation',
  summary: 'Resend an invitation, which invalidates the previous one',
  access: 'pharmacy',
  role: 'owner',
  audit: 'user_invited',
  params: z.object({ colleagueId: z.uuid() }),
  response: Colleague,
  errors: ['colleagues.not_found', 'colleagues.not_invited', 'colleagues.too_many_mails'],
})

/** Closes the colleague's account and ends its sessions at once. The order history keeps the name. */
export const removeColleague = endpoint({
  method: 'DELETE',
  path: '/api/colleagues/:colleagueId',
  summary: 'Remove a colleague; not the primary account, nor the own one',
  access: 'pharmacy',
  role: 'owner',
  audit: 'user_deleted_softly',
  params: z.object({ colleagueId: z.uuid() }),
  response: z.object({}),
  errors: ['colleagues.not_found'],
})
