import type { Actor } from './admin.service.ts'
import type { AuthTables } from './auth.store.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { EnqueueMail } from './auth-mail.ts'
import type { OneTimeTokens } from './one-time-tokens.service.ts'
import type { TokenKind } from './one-time-tokens.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import type { LinkMaker } from './redirect-urls.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import { type AuthUser, normalizeEmail } from './users.store.ts'

/** The kinds of links that an administrator can generate. */
type GeneratedLinkType = Exclude<TokenKind, 'reauthentication'>

export type LinkRequest = {
  type: GeneratedLinkType
  email: string
  password?: string | undefined
  newEmail?: string | undefined
  userMetadata: Record<string, unknown>
  redirectTo: URL
}

type Dependencies = AuthContext & {
  enqueueMail: EnqueueMail
  tokens: OneTimeTokens
  links: LinkMaker
}

/** Links that an administrator generates, and invitations by mail. */
export function createInvitations(dependencies: Dependencies) {
  const { store, audit, enqueueMail, tokens, links, clock } = dependencies

  /** Inserts a user, or returns the unconfirmed one of that address. */
  async function upsertUnconfirmed(
    { users }: AuthTables,
    email: string,
    userMetadata: Record<string, unknown>,
    options: { passwordHash: string | null; invited: boolean },
  ): Promise<AuthUser> {
    const { passwordHash, invited } = options
    const made = await users.insert({
      email,
      passwordHash,
      confirmed: false,
      invited,
      userMetadata,
    })
    if (made) return made
    const known = await users.findByEmail(email)
    if (!known || known.email_confirmed_at) throw new AuthError('email_exists')
    return users.update(known.id, {
      ...(invited && { invited_at: new Date(clock.now()).toISOString() }),
      ...(passwordHash !== null && { password_hash: passwordHash }),
    })
  }

  async function hashOf({ type, email, password }: LinkRequest): Promise<string | null> {
    if (type !== 'signup') return null
    if (password === undefined) {
      throw new AuthError('validation_failed', { message: 'Signup requires a valid password' })
    }
    await checkPassword(password, email)
    return hashPassword(password)
  }

  /** The user of a link, and the kind of link that results. */
  async function subjectOf(
    tables: AuthTables,
    request: LinkRequest,
    passwordHash: string | null,
  ): Promise<[AuthUser, GeneratedLinkType]> {
    const { type, email, userMetadata, newEmail } = request
    const invited = type === 'invite'
    const create = () => upsertUnconfirmed(tables, email, userMetadata, { passwordHash, invited })
    if (type === 'signup' || type === 'invite') return [await create(), type]
    const known = await tables.users.findByEmail(email)
    if (!known && type === 'magiclink') return [await create(), 'signup']
    if (!known) throw new AuthError('user_not_found')
    if (type !== 'email_change_current' && type !== 'email_change_new') return [known, type]
    if (newEmail === undefined) {
      throw new AuthError('validation_failed', { message: 'The new address is missing' })
    }
    if (await tables.users.findByEmail(newEmail)) throw new AuthError('email_exists')
    const wanted = normalizeEmail(newEmail)
    // The two links of one change of address: the second one must keep the confirmation by the first.
    if (known.new_email === wanted) return [known, type]
    await tables.tokens.deleteOfUser(known.id, ['email_change_current', 'email_change_new'])
    const change = {
      new_email: wanted,
      new_email_confirmed_by: null,
      email_change_sent_at: new Date(clock.now()).toISOString(),
    }
    return [await tables.users.update(known.id, change), type]
  }

  return {
    /** Generates a link without sending it. */
    async generate(request: LinkRequest, actor: Actor) {
      const passwordHash = await hashOf(request)
      return store.transaction(async (tables, tx) => {
        const [user, type] = await subjectOf(tables, request, passwordHash)
        const sentTo = type === 'email_change_new' ? (user.new_email ?? '') : (user.email ?? '')
        const options = { codeChallenge: null, withCode: true }
        const { token, code } = await tokens.issue(user, type, sentTo, options, tables)
        const details = { type }
        await audit.record({ action: 'link_generated', userId: user.id, ...actor, details }, tx)
        return {
          ...userJson(user),
          action_link: links.forProtocol(token, type, request.redirectTo),
          email_otp: code,
          hashed_token: token,
          redirect_to: request.redirectTo.href,
          verification_type: type,
        }
      })
    },

    /** Creates a user without a password and sends an invitation. */
    async invite(
      email: string,
      userMetadata: Record<string, unknown>,
      redirectTo: URL,
      actor: Actor,
    ): Promise<AuthUserJson> {
      return store.transaction(async (tables, tx) => {
        const options = { passwordHash: null, invited: true }
        const user = await upsertUnconfirmed(tables, email, userMetadata, options)
        const to = { userId: user.id }
        await enqueueMail({ kind: 'invite', to, redirectTo: redirectTo.href }, tx)
        await audit.record({ action: 'user_invited', userId: user.id, ...actor }, tx)
        return userJson(user)
      })
    },
  }
}
