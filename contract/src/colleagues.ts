import { z } from 'zod'
import { Role } from './access.ts'
import { endpoint } from './endpoint.ts'
import { seenName } from './people.ts'

/** The most people of a pharmacy beside its own account, and the longest name of one. */
export const MOST_COLLEAGUES = 30
export const COLLEAGUE_NAME_LENGTH = 80

/** How long the link of an invitation can be used: it waits for someone who does not know of it yet. */
export const INVITATION_DAYS = 7

/** Somebody who works at the pharmacy. Times are ISO 8601. */
export const Colleague = z.object({
  /** Of their membership, not of their account. Of the pharmacy's own account: its id. */
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: Role,
  /** The pharmacy's own account: it cannot be removed, nor be anything but an owner. */
  isPrimary: z.boolean(),
  /** Whoever asks. */
  isYou: z.boolean(),
  /** When they were written to last; null for the pharmacy's own account. */
  invitedAt: z.string().nullable(),
  /** They have opened the mail of the invitation. */
  hasJoined: z.boolean(),
  lastSignInAt: z.string().nullable(),
  secondFactor: z.boolean(),
})
export type Colleague = z.infer<typeof Colleague>

const Name = z.string().overwrite(seenName).min(1).max(COLLEAGUE_NAME_LENGTH)

export const listColleagues = endpoint({
  method: 'GET',
  path: '/api/colleagues',
  summary: 'Who works at the pharmacy: its own account, then by name',
  access: 'pharmacy',
  role: 'owner',
  response: z.object({ colleagues: z.array(Colleague) }),
  errors: [],
})

/** The address is for one account of the whole platform: a person who works at two pharmacies has two. */
export const inviteColleague = endpoint({
  method: 'POST',
  path: '/api/colleagues',
  summary: 'Invites somebody by mail to an account of their own',
  access: 'pharmacy',
  role: 'owner',
  body: z.strictObject({ name: Name, email: z.email().max(254), role: Role }),
  response: Colleague,
  status: 201,
  errors: ['colleagues.address_taken', 'colleagues.too_many', 'colleagues.too_many_mails'],
})

/** A name is theirs as soon as they have given themselves one: until then it is what they are called here. */
export const changeColleague = endpoint({
  method: 'PATCH',
  path: '/api/colleagues/:colleagueId',
  summary: 'Changes the name or the role of a colleague; nobody changes their own role',
  access: 'pharmacy',
  role: 'owner',
  params: z.object({ colleagueId: z.uuid() }),
  body: z.strictObject({ name: Name.optional(), role: Role.optional() }),
  response: Colleague,
  errors: ['colleagues.not_found', 'colleagues.name_is_own'],
})

/** Only for somebody who has not joined yet. */
export const inviteColleagueAgain = endpoint({
  method: 'POST',
  path: '/api/colleagues/:colleagueId/invitation',
  summary: 'Sends the invitation once more: the mail before is worth nothing then',
  access: 'pharmacy',
  role: 'owner',
  params: z.object({ colleagueId: z.uuid() }),
  response: Colleague,
  errors: ['colleagues.not_found', 'colleagues.not_invited', 'colleagues.too_many_mails'],
})

/** Their account is closed and their sessions end at once; what they did keeps their name. */
export const removeColleague = endpoint({
  method: 'DELETE',
  path: '/api/colleagues/:colleagueId',
  summary: 'Removes a colleague; not the own account of the pharmacy, nor oneself',
  access: 'pharmacy',
  role: 'owner',
  params: z.object({ colleagueId: z.uuid() }),
  response: z.object({}),
  errors: ['colleagues.not_found'],
})
