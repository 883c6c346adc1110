import type { Actor } from './admin.service.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import type { AskMail } from './auth-mail.ts'
import type { LinkMaker } from './link-maker.ts'
import type { OneTimeTokens } from './one-time-tokens.service.ts'
import type { TokenKind } from './one-time-tokens.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import { type AuthUser, normalEmail } from './users.store.ts'

/** The kinds of links an administrator can ask for. */
export type GeneratedType = Exclude<TokenKind, 'reauthentication'>

export type LinkRequest = {
  type: GeneratedType
  email: string
  password?: string | undefined
  newEmail?: string | undefined
  userMetadata: Record<string, unknown>
  redirectTo: URL
}

export type GeneratedLink = AuthUserJson & {
  action_link: string
  email_otp: string
  hashed_token: string
  redirect_to: string
  verification_type: GeneratedType
}

export type Invitations = ReturnType<typeof createInvitations>

type Dependencies = AuthContext & { askMail: AskMail; tokens: OneTimeTokens; links: LinkMaker }

/** Links that administrators send: by mail, or in a way of their own. */
export function createInvitations(dependencies: Dependencies) {
  const { store, audit, askMail, tokens, links, clock } = dependencies

  /** Somebody new, or somebody who has not confirmed yet. */
  async function newcomer(
    email: string,
    userMetadata: Record<string, unknown>,
    options: { password?: string | undefined; invited: boolean },
  ): Promise<AuthUser> {
    const { password, invited } = options
    if (password !== undefined) await checkPassword(password, email)
    const passwordHash = password === undefined ? null : await hashPassword(password)
    const made = await store.users.insert({
      email,
      passwordHash,
      confirmed: false,
      invited,
      userMetadata,
    })
    if (made) return made
    const known = await store.users.withEmail(email)
    if (!known || known.email_confirmed_at) throw new AuthError('email_exists')
    return store.users.update(known.id, {
      ...(invited && { invited_at: new Date(clock.now()).toISOString() }),
      ...(passwordHash !== null && { password_hash: passwordHash }),
    })
  }

  /** The user a link is for, and what it turns out to be for. */
  async function subjectOf(request: LinkRequest): Promise<[AuthUser, GeneratedType]> {
    const { type, email, userMetadata, password, newEmail } = request
    if (type === 'signup') {
      if (password === undefined) {
        throw new AuthError('validation_failed', { message: 'Signup requires a valid password' })
      }
      return [await newcomer(email, userMetadata, { password, invited: false }), type]
    }
    if (type === 'invite') return [await newcomer(email, userMetadata, { invited: true }), type]
    const known = await store.users.withEmail(email)
    if (!known && type === 'magiclink') {
      return [await newcomer(email, userMetadata, { invited: false }), 'signup']
    }
    if (!known) throw new AuthError('user_not_found')
    if (type !== 'email_change_current' && type !== 'email_change_new') return [known, type]
    if (newEmail === undefined) {
      throw new AuthError('validation_failed', { message: 'The new address is missing' })
    }
    if (await store.users.withEmail(newEmail)) throw new AuthError('email_exists')
    const wanted = normalEmail(newEmail)
    // The second of the two links of one change must not forget that the first was used.
    if (known.new_email === wanted) return [known, type]
    const change = { new_email: wanted, new_email_confirmed_by: null }
    return [await store.users.update(known.id, change), type]
  }

  return {
    /** Makes the link without sending it. */
    async generate(request: LinkRequest, actor: Actor): Promise<GeneratedLink> {
      const [user, type] = await subjectOf(request)
      const sentTo = type === 'email_change_new' ? (user.new_email ?? '') : (user.email ?? '')
      const { token, code } = await tokens.issue(user, type, sentTo, null)
      const details = { type }
      await audit.record({ action: 'link_generated', userId: user.id, ...actor, details })
      return {
        ...userJson(user),
        action_link: links.forProtocol(token, type, request.redirectTo),
        email_otp: code,
        hashed_token: token,
        redirect_to: request.redirectTo.href,
        verification_type: type,
      }
    },

    /** Makes a user without a password and sends them the way in. */
    async invite(
      email: string,
      userMetadata: Record<string, unknown>,
      redirectTo: URL,
      actor: Actor,
    ): Promise<AuthUserJson> {
      const user = await newcomer(email, userMetadata, { invited: true })
      await askMail({ kind: 'invite', to: { userId: user.id }, redirectTo: redirectTo.href })
      await audit.record({ action: 'user_invited', userId: user.id, ...actor })
      return userJson(user)
    },
  }
}
