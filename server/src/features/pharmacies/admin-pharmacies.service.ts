import type {
  AdminPharmacy,
  NewPharmacyFields,
  PharmacyChange,
} from '@bancone/contract/admin-pharmacies'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { AdminSession } from '../../http/serve.ts'
import type { Actor } from '../../platform/auth/admin.service.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import type { Caller as Origin } from '../../platform/auth/auth-context.ts'
import { rethrowAccountError } from '../../platform/auth/auth-error.ts'
import { type AdminPharmaciesStore, isInAirtable, type Switches } from './admin-pharmacies.store.ts'

type Dependencies = {
  db: Database
  store: AdminPharmaciesStore
  auth: Pick<AuthService, 'users' | 'invitedUsers' | 'reauthentication'>
  returnToAirtable(pharmacyId: string, userId: string): Promise<unknown>
  leaveAirtable(pharmacyId: string, userId: string): Promise<unknown>
  /** The page on which a new pharmacy chooses its password. */
  invitationPage: URL
}

/** Further work of a transaction. */
type Within = ((tx: Database) => Promise<void>) | undefined

/** A generated code may be typed by another administrator at the same time. */
const CODE_ATTEMPTS = 5

/** Management of the pharmacies, for administrators. */
export function createAdminPharmacies(dependencies: Dependencies) {
  const { db, store, auth, invitationPage } = dependencies

  /** An open session must not suffice to take an account over. */
  async function requireFresh(session: AdminSession): Promise<void> {
    await auth.reauthentication
      .requireRecent(session, 'A password of a pharmacy')
      .catch(rethrowAccountError)
  }

  async function insert(
    { email, password, pharmacy_id: _typed, ...fields }: NewPharmacyFields,
    code: string,
    actor: Actor,
    within: Within,
  ): Promise<string> {
    let id: string | undefined
    const alongside = async (tx: Database, userId: string) => {
      id = userId
      await store.insert(tx, { id: userId, code, email }, fields, actor.actorId)
      await within?.(tx)
    }
    if (password) {
      const account = { email, password, confirm: true }
      await auth.users.create(account, actor, alongside).catch(rethrowAccountError)
    } else {
      const isOneOfMany = within !== undefined
      const invitation = { from: null, redirectTo: invitationPage, isOneOfMany }
      await auth.invitedUsers.invite({ email }, invitation, actor, alongside)
    }
    if (id === undefined) throw new AppError('pharmacies.email_taken')
    return id
  }

  async function insertWithCode(wanted: NewPharmacyFields, actor: Actor, within?: Within) {
    for (let attempts = 1; ; attempts += 1) {
      const code = wanted.pharmacy_id ?? (await store.nextCode())
      try {
        return await insert(wanted, code, actor, within)
      } catch (error) {
        const isTaken = error instanceof AppError && error.code === 'pharmacies.code_taken'
        if (!isTaken || wanted.pharmacy_id !== null || attempts >= CODE_ATTEMPTS) throw error
      }
    }
  }

  return {
    async create(session: AdminSession, wanted: NewPharmacyFields, origin: Origin) {
      if (wanted.password) await requireFresh(session)
      const actor = { actorId: session.userId, ...origin }
      return store.find(await insertWithCode(wanted, actor))
    },

    /** Creates one of many pharmacies, which gets a link by mail. @param within further work of the same transaction */
    async invite(wanted: Omit<NewPharmacyFields, 'password'>, actor: Actor, within: Within) {
      await insertWithCode(wanted, actor, within)
    },

    /** @param within further work of the same transaction */
    async update(
      pharmacyId: string,
      fields: Omit<PharmacyChange, 'password'>,
      userId: string,
      within: Within,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await store.update(tx, pharmacyId, fields, userId)
        await within?.(tx)
      })
    },

    /**
     * The migration moves orders that are in Airtable. The way back is longer: the pharmacy that is returned still has the
     * old source then.
     */
    async switch(
      { userId }: AdminSession,
      pharmacyId: string,
      { is_active, use_supabase_orders }: Switches,
    ): Promise<AdminPharmacy> {
      const isWayBack = use_supabase_orders === false && (await store.isMirrored(pharmacyId))
      const isWayThere = use_supabase_orders === true && isInAirtable(await store.find(pharmacyId))
      if (isWayBack) await dependencies.returnToAirtable(pharmacyId, userId)
      else if (isWayThere) await dependencies.leaveAirtable(pharmacyId, userId)
      else return store.switch(pharmacyId, { is_active, use_supabase_orders })
      return is_active === undefined
        ? store.find(pharmacyId)
        : store.switch(pharmacyId, { is_active })
    },

    async change(
      session: AdminSession,
      pharmacyId: string,
      { password, ...fields }: PharmacyChange,
      origin: Origin,
    ): Promise<AdminPharmacy> {
      const { userId } = session
      if (!password)
        return db.transaction().execute((tx) => store.update(tx, pharmacyId, fields, userId))
      await requireFresh(session)
      // Answers for ids that are no pharmacy's before anything is changed.
      await store.find(pharmacyId)
      const actor = { actorId: userId, ...origin }
      // A password that an administrator gives works without the mail that would have confirmed the address.
      const account = { password, confirm: true }
      await auth.users
        .change(pharmacyId, account, actor, async (tx) => {
          await store.update(tx, pharmacyId, fields, userId)
        })
        .catch(rethrowAccountError)
      return store.find(pharmacyId)
    },
  }
}
