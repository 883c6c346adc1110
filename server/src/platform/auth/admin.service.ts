import type { AuditAction } from '@bancone/contract/audit-actions'
import type { Database } from '../../database/database.ts'
import type { Audit } from '../audit.ts'
import type { Transaction } from './auth.store.ts'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { EnqueueMail } from './auth-mail.ts'
import { emailProviderMetadata, mergedMetadata, providersOf } from './metadata.ts'
import { checkPassword, hashPassword, isUsableHash } from './passwords.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import type { AuthUser, UserChange } from './users.store.ts'

/**
 * The author of an administrative call: an administrator, or null for the admin key. `pharmacyId`: the pharmacy whose
 * account it is about, for the audit log.
 */
export type Actor = { actorId: string | null; pharmacyId?: string } & Caller

/** The attributes of a user that an administrator may set. */
export type UserAttributes = {
  id?: string | undefined
  email?: string | undefined
  password?: string | undefined
  /** An argon2 hash in PHC form, made by another system. */
  passwordHash?: string | undefined
  confirm?: boolean | undefined
  /** In milliseconds; 0 lifts a ban. */
  banDurationMs?: number | undefined
  userMetadata?: Record<string, unknown> | undefined
  appMetadata?: Record<string, unknown> | undefined
}

export type UserAdministration = ReturnType<typeof createUserAdministration>

/** Management of user accounts, for administrators. */
export function createUserAdministration(context: AuthContext & { enqueueMail: EnqueueMail }) {
  const { store, audit, clock, enqueueMail } = context

  async function existing(id: string): Promise<AuthUser> {
    const user = await store.users.findById(id)
    if (!user) throw new AuthError('user_not_found')
    return user
  }

  const note = (
    action: AuditAction,
    userId: string,
    actor: Actor,
    tx?: Parameters<Audit['record']>[1],
  ) => audit.record({ action, userId, ...actor }, tx)

  async function hashOf(wanted: UserAttributes, email: string | null) {
    const { passwordHash } = wanted
    if (passwordHash !== undefined) {
      if (await isUsableHash(passwordHash)) return passwordHash
      throw new AuthError('validation_failed', { message: 'The password hash cannot be used' })
    }
    if (wanted.password === undefined) return undefined
    await checkPassword(wanted.password, email)
    return hashPassword(wanted.password)
  }

  const bannedUntil = (milliseconds: number) =>
    milliseconds === 0 ? null : new Date(clock.now() + milliseconds).toISOString()

  /**
   * Removes all linked identities, because a person who knew the old password may have linked them.
   *
   * @returns the user without them
   */
  async function unlinkAll([tables, tx]: Transaction, user: AuthUser, actor: Actor) {
    await tables.identities.removeOfUser(user.id)
    const gone = user.identities.map(({ provider }) => provider)
    for (const provider of new Set(gone)) {
      const details = { provider }
      await audit.record({ action: 'identity_unlinked', userId: user.id, ...actor, details }, tx)
    }
    await enqueueMail({ kind: 'identity_unlinked', to: { userId: user.id } }, tx)
    return tables.users.update(user.id, {
      unlinked_providers: [...new Set([...user.unlinked_providers, ...gone])],
      app_metadata: mergedMetadata(user.app_metadata, {
        providers: providersOf(user.email !== null, []),
      }),
    })
  }

  /** The columns of the given attributes alone: others may be changed at the same time. */
  function columnsOf(wanted: UserAttributes, current: AuthUser): UserChange {
    const { email, confirm, banDurationMs, userMetadata, appMetadata } = wanted
    const ways = { ...emailProviderMetadata, providers: providersOf(true, current.identities) }
    const rights = { ...(email !== undefined && ways), ...appMetadata }
    return {
      ...(email !== undefined && { email, is_anonymous: false }),
      ...(confirm && { email_confirmed_at: new Date(clock.now()).toISOString() }),
      ...(banDurationMs !== undefined && { banned_until: bannedUntil(banDurationMs) }),
      ...(userMetadata && { user_metadata: mergedMetadata(current.user_metadata, userMetadata) }),
      ...(Object.keys(rights).length > 0 && {
        app_metadata: mergedMetadata(current.app_metadata, rights),
      }),
    }
  }

  return {
    async page(page: number, perPage: number): Promise<{ users: AuthUserJson[]; total: number }> {
      const { users, total } = await store.users.page((page - 1) * perPage, perPage)
      return { users: users.map(userJson), total }
    },

    async get(id: string): Promise<AuthUserJson> {
      return userJson(await existing(id))
    },

    /** Whether the user exists and is neither deleted nor banned. */
    async isActive(id: string): Promise<boolean> {
      const user = await store.users.findById(id)
      return user !== undefined && !user.deleted_at && !isBanned(user, clock.now())
    },

    /** @param alongside further work of the same transaction */
    async create(
      wanted: UserAttributes & { email: string },
      actor: Actor,
      alongside?: (tx: Database, userId: string) => Promise<void>,
    ): Promise<AuthUserJson> {
      const passwordHash = await hashOf(wanted, wanted.email)
      const made = await store.transaction(async ({ users }, tx) => {
        const user = await users.insert({
          id: wanted.id,
          email: wanted.email,
          passwordHash: passwordHash ?? null,
          confirmed: wanted.confirm === true,
          userMetadata: wanted.userMetadata,
          appMetadata: wanted.appMetadata,
          bannedUntil: bannedUntil(wanted.banDurationMs ?? 0),
        })
        if (!user) return undefined
        await note('user_created', user.id, actor, tx)
        await alongside?.(tx, user.id)
        return user
      })
      if (made) return userJson(made)
      const taken = await store.users.findByEmail(wanted.email)
      throw new AuthError(taken ? 'email_exists' : 'user_already_exists')
    },

    /**
     * Administrators change their own password and address through their account, where reauthentication is
     * required.
     *
     * @param alongside further work of the same transaction
     */
    async change(
      id: string,
      wanted: UserAttributes,
      actor: Actor,
      alongside?: (tx: Database) => Promise<void>,
    ): Promise<AuthUserJson> {
      const user = await existing(id)
      if (user.deleted_at) throw new AuthError('user_not_found')
      const passwordHash = await hashOf(wanted, wanted.email ?? user.email)
      const newSecrets = passwordHash !== undefined || wanted.email !== undefined
      if (newSecrets && actor.actorId === id) throw new AuthError('not_admin')
      const locksOut = newSecrets || (wanted.banDurationMs ?? 0) > 0
      const [changed, ended] = await store.transaction(async (...transaction) => {
        const [tables, tx] = transaction
        const locked = await tables.users.lock(id)
        if (!locked) throw new AuthError('user_not_found')
        await alongside?.(tx)
        const isUnlinked = passwordHash !== undefined && locked.identities.length > 0
        const current = isUnlinked ? await unlinkAll(transaction, locked, actor) : locked
        const sessions = locksOut ? await tables.sessions.end({ userId: id }) : []
        // Links and codes sent before, possibly to a wrong address, become invalid.
        if (locksOut) await tables.tokens.deleteOfUser(id)
        const columns: UserChange = {
          ...columnsOf(wanted, current),
          ...(passwordHash !== undefined && { password_hash: passwordHash }),
          ...(locksOut && { new_email: null, new_email_confirmed_by: null }),
        }
        const fields = Object.keys(columns).join(' ')
        await audit.record(
          { action: 'user_changed', userId: id, ...actor, details: { fields } },
          tx,
        )
        if (passwordHash !== undefined) {
          await enqueueMail({ kind: 'password_changed', to: { userId: id } }, tx)
        }
        const updated = await tables.users.update(id, columns)
        const isMoved = locked.email_confirmed_at !== null && updated.email !== locked.email
        // To the address that the owner still reads: a change by an attacker does not go unnoticed.
        if (isMoved) {
          const notice = { kind: 'email_changed_by_administrator', sendTo: locked.email } as const
          await enqueueMail({ ...notice, to: { userId: id } }, tx)
        }
        return [updated, sessions] as const
      })
      for (const sessionId of ended) context.onSessionEnded(sessionId)
      return userJson(changed)
    },

    /**
     * @param soft keeps the row, without personal data, for the rows that refer to it
     * @param alongside further work of the same transaction, run before anything is deleted
     */
    async delete(
      id: string,
      soft: boolean,
      actor: Actor,
      alongside?: (tx: Database) => Promise<void>,
    ): Promise<AuthUserJson> {
      const user = await existing(id)
      const ended = await store.transaction(async (tables, tx) => {
        await tables.users.lock(id)
        await alongside?.(tx)
        const sessions = await tables.sessions.end({ userId: id })
        await note(soft ? 'user_deleted_softly' : 'user_deleted', id, actor, tx)
        await context.onAccountDeleted(tx, id, { soft })
        if (!soft) {
          await tables.users.delete(id)
          return sessions
        }
        await tables.tokens.deleteOfUser(id)
        await tables.identities.removeOfUser(id)
        await tables.factors.deleteOfUser(id)
        await tables.recoveryCodes.deleteOfUser(id)
        await tables.users.update(id, {
          deleted_at: new Date(clock.now()).toISOString(),
          email: null,
          new_email: null,
          password_hash: null,
          user_metadata: {},
          app_metadata: {},
        })
        return sessions
      })
      for (const sessionId of ended) context.onSessionEnded(sessionId)
      return userJson(user)
    },
  }
}
