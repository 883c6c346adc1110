import type { MailContent } from '../../mails/mail-layout.ts'
import { nameInSubject, timeInRome } from '../../mails/mail-words.ts'

/** `provider`: its display name. `loginLink`: the URL of the sign-in page. */
type Notice<Kind extends string> = { kind: Kind; at: Date; provider: string; loginLink: string }

/** Security notices about linked identities. */
export type IdentityNotice = Notice<'identity_linked'> | Notice<'identity_unlinked'>

/** Sent to the owner for every change, also for their own: a change by an attacker does not go unnoticed. */
export function identityNotice({ kind, at, provider, loginLink }: IdentityNotice): MailContent {
  const when = timeInRome(at)
  if (kind === 'identity_linked') {
    return {
      subject: `${nameInSubject(provider)} collegato al tuo account`,
      preview: `Da ora puoi accedere anche con ${provider}.`,
      title: `${provider} è collegato al tuo account`,
      paragraphs: [
        `Il ${when} al tuo account Bancone è stato collegato ${provider}: da ora puoi accedere anche così.`,
        'Se sei stato tu, non devi fare altro.',
        `Se non sei stato tu, accedi e scollega ${provider} dalla pagina Sicurezza. Poi cambia la password.`,
      ],
      button: { label: 'Vai alla pagina di accesso', link: loginLink },
      notes: [],
    }
  }
  return {
    subject: `${nameInSubject(provider)} scollegato dal tuo account`,
    preview: `Con ${provider} non si accede più.`,
    title: `${provider} non è più collegato`,
    paragraphs: [
      `Il ${when} dal tuo account Bancone è stato scollegato ${provider}: non si può più usare per accedere, e chi era entrato così su un altro dispositivo è stato disconnesso.`,
      'Se sei stato tu, non devi fare altro.',
      'Se non sei stato tu, qualcuno ha usato il tuo account. Chiedi subito una nuova password e poi, nella pagina Sicurezza, esci dagli altri dispositivi.',
    ],
    button: { label: 'Chiedi una nuova password', link: loginLink },
    notes: [],
  }
}
