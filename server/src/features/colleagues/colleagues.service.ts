import type { Role } from '@bancone/contract/access'
import type { Colleague } from '@bancone/contract/colleagues'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { Audit } from '../../platform/audit.ts'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
import type { InvitedUsers } from '../../platform/auth/invited-users.service.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import type { ColleaguesStore, Person } from './colleagues.store.ts'

export const colleagueLimits = {
  // Mails per pharmacy, and per address over all pharmacies. Addresses that are in use count too, or the limit would
  // allow probing which addresses have an account.
  'invitations-of-pharmacy': { points: 60, seconds: 3600 },
  'invitations-to-address': { points: 5, seconds: 3600 },
} as const satisfies Record<string, Limit>

type Caller = { userId: string; pharmacy: { id: string } }

type Invitee = { name: string; email: string; role: Role }

type Change = { name?: string | undefined; role?: Role | undefined }

type Dependencies = {
  store: ColleaguesStore
  storeIn(tx: Database): ColleaguesStore
  accounts: InvitedUsers
  audit: Pick<Audit, 'record'>
  limits: RateLimits<keyof typeof colleagueLimits>
  isAdministrator(userId: string): Promise<boolean>
  /** The page on which an invited user sets a password. */
  invitationPage: URL
  /**
   * The user's permissions have changed. Called in this process; the other processes are notified by the database.
   */
  onChanged(userId: string): void
}

/** Colleagues of a pharmacy, whom its owners invite, rename and remove. */
export function createColleagues(dependencies: Dependencies) {
  const { store, storeIn, accounts, audit, limits, isAdministrator, onChanged } = dependencies

  function mayWrite(pharmacyId: string, email: string): Promise<void> {
    return limits
      .take(
        { limit: 'invitations-of-pharmacy', subject: pharmacyId },
        { limit: 'invitations-to-address', subject: email.toLowerCase() },
      )
      .catch(rethrowRateLimitAs('colleagues.too_many_mails'))
  }

  async function invitation(pharmacyId: string) {
    const from = await store.pharmacyName(pharmacyId)
    return { from, redirectTo: dependencies.invitationPage }
  }

  /** Two owners may remove each other at once: the second is no longer an owner, and is refused. */
  async function mustBeOwner(members: ColleaguesStore, { userId, pharmacy }: Caller) {
    if (!(await members.isStillOwner(pharmacy.id, userId))) throw new AppError('access.owners_only')
  }

  async function shown(caller: Caller, memberId: string): Promise<Colleague> {
    return shownTo(caller.userId, await store.find(caller.pharmacy.id, memberId))
  }

  return {
    /** The pharmacy's own account first, then the others by name. */
    async list({ userId, pharmacy }: Caller): Promise<Colleague[]> {
      const others = (await store.list(pharmacy.id)).toSorted(
        (a, b) => inItalian.compare(a.name, b.name) || inItalian.compare(a.email, b.email),
      )
      return [await store.primary(pharmacy.id), ...others].map((person) => shownTo(userId, person))
    },

    async invite(caller: Caller, { name, email, role }: Invitee, origin: Origin) {
      const { userId, pharmacy } = caller
      await mayWrite(pharmacy.id, email)
      let memberId: string | undefined
      const isNew = await accounts.invite(
        { email, name },
        await invitation(pharmacy.id),
        { actorId: userId, ...origin },
        async (tx, invited) => {
          const members = storeIn(tx)
          await mustBeOwner(members, caller)
          const member = { userId: invited, name, role, invitedBy: userId }
          memberId = await members.insert(pharmacy.id, member)
        },
      )
      if (!isNew || memberId === undefined) throw new AppError('colleagues.address_taken')
      return shown(caller, memberId)
    },

    async inviteAgain(caller: Caller, memberId: string, origin: Origin): Promise<Colleague> {
      const { userId, pharmacy } = caller
      if (memberId === pharmacy.id) throw new AppError('colleagues.not_invited')
      const person = await store.find(pharmacy.id, memberId)
      if (person.hasJoined) throw new AppError('colleagues.not_invited')
      await mayWrite(pharmacy.id, person.email)
      const isWritten = await accounts.inviteAgain(
        person.userId,
        await invitation(pharmacy.id),
        { actorId: userId, ...origin },
        async (tx) => {
          const members = storeIn(tx)
          await mustBeOwner(members, caller)
          await members.update(pharmacy.id, memberId, { invitedNow: true })
        },
      )
      if (!isWritten) throw new AppError('colleagues.not_invited')
      return shown(caller, memberId)
    },

    async change(caller: Caller, memberId: string, { name, role }: Change, origin: Origin) {
      const { userId, pharmacy } = caller
      if (memberId === pharmacy.id) throw new AppError('request.invalid')
      const person = await store.find(pharmacy.id, memberId)
      const isOneself = person.userId === userId
      const actor = { actorId: userId, ...origin }
      const isThere = await accounts.change(person.userId, actor, async (tx) => {
        const members = storeIn(tx)
        await mustBeOwner(members, caller)
        const kept = await members.lock(pharmacy.id, memberId)
        const now = await members.find(pharmacy.id, memberId)
        if (role !== undefined && role !== kept.role) {
          if (isOneself) throw new AppError('request.invalid')
          await members.update(pharmacy.id, memberId, { role })
          const details = { from: kept.role, to: role }
          const event = {
            action: 'role_changed',
            userId: person.userId,
            ...actor,
            details,
          } as const
          await audit.record(event, tx)
        }
        if (name === undefined || name === now.name) return null
        if (isOneself) return name
        // Once a user has set their own name, others cannot change it.
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
      const person = await store.find(pharmacy.id, memberId)
      if (person.userId === userId) throw new AppError('request.invalid')
      const actor = { actorId: userId, ...origin }
      // Two requests may remove the same colleague at once: the second finds none.
      const stillHere = async (tx: Database) => {
        const members = storeIn(tx)
        await mustBeOwner(members, caller)
        await members.lock(pharmacy.id, memberId)
      }
      // A pharmacy cannot close the account of an administrator.
      const isGone = (await isAdministrator(person.userId))
        ? await accounts.change(person.userId, actor, async (tx) => {
            await stillHere(tx)
            await storeIn(tx).leave(pharmacy.id, memberId)
            const event = { action: 'left_pharmacy', userId: person.userId, ...actor } as const
            await audit.record(event, tx)
            return null
          })
        : await accounts.close(person.userId, actor, stillHere)
      if (!isGone) throw new AppError('colleagues.not_found')
      onChanged(person.userId)
    },
  }
}

const inItalian = new Intl.Collator('it', { sensitivity: 'base', numeric: true })

function shownTo(asking: string, { userId, ...colleague }: Person): Colleague {
  return { ...colleague, isYou: userId === asking }
}
