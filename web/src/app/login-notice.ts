import { fixedErrors } from '@bancone/contract/fixed-errors'
import { readLinkRefusal } from '../features/session/mail-link.ts'
import type { Notice } from '../features/session/sign-in-form.tsx'
import { linkErrorMessage, notAdministrator } from '../lib/auth-messages.ts'
import { sessionEnded } from '../lib/common-texts.ts'
import type { SignedOutReason } from '../lib/session-state.ts'
import { loginState } from './login-state.ts'

const askForLink: Notice = {
  tone: 'notice',
  text: 'Per un nuovo link scrivi la tua email e premi «Password dimenticata?».',
}

/**
 * The message of a login page to a user who was redirected to it.
 *
 * @param failure message of a failed sign-in with an external provider
 * @param absence why the last session ended
 * @param ended text for a session that ended during work
 */
export function loginNotice(
  location: { state: unknown; hash: string },
  failure: string | null,
  absence: SignedOutReason,
  ended = sessionEnded,
): Notice | null {
  if (failure !== null) return { tone: 'error', text: failure }
  const refusal = readLinkRefusal(location.hash)
  if (refusal) return { tone: 'error', text: linkErrorMessage(refusal.code) }
  const { why, forgot } = loginState(location.state)
  if (why === 'closed' || absence === 'closed') {
    return { tone: 'notice', text: fixedErrors['session.unknown_user'].shown }
  }
  if (why === 'ended' || absence === 'ended') return { tone: 'notice', text: ended }
  if (why === 'denied') return { tone: 'error', text: notAdministrator }
  return forgot ? askForLink : null
}
