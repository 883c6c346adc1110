import type { Role } from '@bancone/contract/access'
import type { Colleague } from '@bancone/contract/colleagues'
import { AppError } from '../../app-error.ts'
import type { Database } from '../../database/database.ts'
import type { Audit } from '../../platform/audit.ts'
import type { Actor } from '../../platform/auth/admin.service.ts'
import type { InvitedUsers } from '../../platform/auth/invited-users.service.ts'
import type { Limit, RateLimits } from '../../platform/rate-limits.ts'
import { tooManyAs } from '../../too-many.ts'
import { shownColleagues } from './colleagues.rules.ts'
import type { ColleaguesStore, Person } from './colleagues.store.ts'

export const colleagueLimits = {
  // Mails of a pharmacy; and to one address, whoever they are from. An address that is taken counts too,
  // or somebody could go through many to learn which have an account.
  'invitations-of-pharmacy': { points: 60, seconds: 3600 },
  'invitations-to-address': { points: 5, seconds: 3600 },
} as const satisfies Record<string, Limit>

export type ColleagueLimitName = keyof typeof colleagueLimits

/** Where a call came from: an address, and the name a browser gave itself. */
type Origin = { ip: string; agent: string | undefined }

type Caller = { userId: string; pharmacy: { id: string } }

type Invitee = { name: string; email: string; role: Role }

type Change = { name?: string | undefined; role?: Role | undefined }

type Dependencies = {
  store: ColleaguesStore
  storeIn(tx: Database): ColleaguesStore
  accounts: InvitedUsers
  audit: Pick<Audit, 'record'>
  limits: RateLimits<ColleagueLimitName>
  actorOf(userId: string, origin: Origin): Actor
  /** The page on which somebody invited chooses a password. */
  invitationPage: URL
  /** What they may do is another now. Here and now; other processes hear of it from the database. */
  onChanged(userId: string): void
}

export type ColleaguesService = ReturnType<typeof createColleagues>

/** Who works at a pharmacy beside its own account: invited, named and removed by its owners. */
export function createColleagues(dependencies: Dependencies) {
  const { store, storeIn, accounts, audit, limits, actorOf, onChanged } = dependencies

  function mayWrite(pharmacyId: string, email: string): Promise<void> {
    return limits
      .take(
        { limit: 'invitations-of-pharmacy', of: pharmacyId },
        { limit: 'invitations-to-address', of: email.toLowerCase() },
      )
      .catch(tooManyAs('colleagues.too_many_mails'))
  }

  async function invitation(pharmacyId: string) {
    const from = await store.pharmacyName(pharmacyId)
    return { from, redirectTo: dependencies.invitationPage }
  }

  async function found({ pharmacy }: Caller, memberId: string): Promise<Person> {
    const person = await store.find(pharmacy.id, memberId)
    if (!person) throw new AppError('colleagues.not_found')
    return person
  }

  /** Of two who remove each other at once the second is no owner any more, and decides nothing. */
  async function mustBeOwner(
    members: ColleaguesStore,
    { userId, pharmacy }: Caller,
  ): Promise<void> {
    if (!(await members.isStillOwner(pharmacy.id, userId))) throw new AppError('access.owners_only')
  }

  async function shown(caller: Caller, memberId: string): Promise<Colleague> {
    const { userId, ...colleague } = await found(caller, memberId)
    return { ...colleague, isYou: userId === caller.userId }
  }

  return {
    async list({ userId, pharmacy }: Caller): Promise<Colleague[]> {
      const { id } = pharmacy
      return shownColleagues(await store.primary(id), await store.list(id), userId)
    },

    async invite(
      caller: Caller,
      { name, email, role }: Invitee,
      origin: Origin,
    ): Promise<Colleague> {
      const { userId, pharmacy } = caller
      await mayWrite(pharmacy.id, email)
      let memberId: string | undefined
      const isNew = await accounts.invite(
        { email, name },
        await invitation(pharmacy.id),
        actorOf(userId, origin),
        async (tx, invited) => {
          const members = storeIn(tx)
          await mustBeOwner(members, caller)
          const member = { userId: invited, name, role, invitedBy: userId }
          memberId = await members.insert(pharmacy.id, member)
          if (memberId === undefined) throw new AppError('colleagues.too_many')
        },
      )
      if (!isNew || memberId === undefined) throw new AppError('colleagues.address_taken')
      return shown(caller, memberId)
    },

    async inviteAgain(caller: Caller, memberId: string, origin: Origin): Promise<Colleague> {
      const { userId, pharmacy } = caller
      if (memberId === pharmacy.id) throw new AppError('colleagues.not_invited')
      const person = await found(caller, memberId)
      if (person.hasJoined) throw new AppError('colleagues.not_invited')
      await mayWrite(pharmacy.id, person.email)
      const isWritten = await accounts.inviteAgain(
        person.userId,
        await invitation(pharmacy.id),
        actorOf(userId, origin),
        async (tx) => {
          const members = storeIn(tx)
          await mustBeOwner(members, caller)
          await members.update(pharmacy.id, memberId, { invitedNow: true })
        },
      )
      if (!isWritten) throw new AppError('colleagues.not_invited')
      return shown(caller, memberId)
    },

    async change(
      caller: Caller,
      memberId: string,
      { name, role }: Change,
      origin: Origin,
    ): Promise<Colleague> {
      const { userId, pharmacy } = caller
      if (memberId === pharmacy.id) throw new AppError('request.invalid')
      const person = await found(caller, memberId)
      const isOneself = person.userId === userId
      const actor = actorOf(userId, origin)
      const isThere = await accounts.change(person.userId, actor, async (tx) => {
        const members = storeIn(tx)
        await mustBeOwner(members, caller)
        const kept = await members.lock(pharmacy.id, memberId)
        const now = await members.find(pharmacy.id, memberId)
        if (!kept || !now) throw new AppError('colleagues.not_found')
        if (role !== undefined && role !== kept.role) {
          if (isOneself) throw new AppError('request.invalid')
          await members.update(pharmacy.id, memberId, { role })
          const details = { from: kept.role, to: role }
          const event = { action: 'role_changed', userId: person.userId, ...actor, details }
          await audit.record(event, tx)
        }
        if (name === undefined || name === now.name) return null
        if (isOneself) return name
        // Theirs as soon as it is not what they were called by others.
        if (now.name !== kept.name) throw new AppError('colleagues.name_is_own')
        await members.update(pharmacy.id, memberId, { name })
        return name
      })
      if (!isThere) throw new AppError('colleagues.not_found')
      onChanged(person.userId)
      return shown(caller, memberId)
    },

    async remove(caller: Caller, memberId: string, origin: Origin): Promise<void> {
      const { userId, pharmacy } = caller
      if (memberId === pharmacy.id) throw new AppError('request.invalid')
      const person = await found(caller, memberId)
      if (person.userId === userId) throw new AppError('request.invalid')
      const actor = actorOf(userId, origin)
      // Of two who remove the same person at once the second finds nobody.
      const stillHere = async (tx: Database) => {
        const members = storeIn(tx)
        await mustBeOwner(members, caller)
        const kept = await members.lock(pharmacy.id, memberId)
        if (!kept) throw new AppError('colleagues.not_found')
      }
      // The account of an administrator is not the pharmacy's to close.
      const isGone = (await store.isAdministrator(person.userId))
        ? await accounts.change(person.userId, actor, async (tx) => {
            await stillHere(tx)
            await storeIn(tx).leave(pharmacy.id, memberId)
            const event = { action: 'left_pharmacy', userId: person.userId, ...actor }
            await audit.record(event, tx)
            return null
          })
        : await accounts.close(person.userId, actor, stillHere)
      if (!isGone) throw new AppError('colleagues.not_found')
      onChanged(person.userId)
    },
  }
}
