import type { MailContent } from '../../mails/mail-layout.ts'
import { nameInSubject, timeInRome } from '../../mails/mail-words.ts'

/** `loginLink`: the URL of the sign-in page. */
type Notice<Kind extends string> = { kind: Kind; at: Date; loginLink: string }

/** Security notices about the second factor of an account. */
export type FactorNotice =
  | Notice<'factor_added'>
  | Notice<'factor_removed'>
  | Notice<'factor_removed_by_administrator'>
  /** `remaining`: how many unused codes are left. */
  | (Notice<'recovery_code_used'> & { remaining: number })

/** Sent to the owner for every change, also for their own: a change by an attacker does not go unnoticed. */
export function factorNotice(mail: FactorNotice): MailContent {
  const when = timeInRome(mail.at)
  const toLogin = { label: 'Vai alla pagina di accesso', link: mail.loginLink }
  const newPassword = { label: 'Chiedi una nuova password', link: mail.loginLink }
  switch (mail.kind) {
    case 'factor_added':
      return {
        subject: "Nuova app di autenticazione nell'account",
        preview: 'Da ora per accedere serve anche il suo codice.',
        title: "Un'app di autenticazione in più",
        paragraphs: [
          `Il ${when} al tuo account Bancone è stata aggiunta un'app di autenticazione. Da ora, dopo la password, per accedere serve anche un codice.`,
          'Se sei stato tu, conserva i codici di recupero: servono se perdi il telefono.',
          "Se non sei stato tu, qualcuno conosce la tua password. Scrivi subito all'assistenza di Bancone, che può togliere l'app e restituirti l'account.",
        ],
        button: toLogin,
        notes: [],
      }
    case 'factor_removed':
      return {
        subject: "App di autenticazione tolta dall'account",
        preview: 'Se non sei stato tu, chiedi subito una nuova password.',
        title: "Un'app di autenticazione in meno",
        paragraphs: [
          `Il ${when} dal tuo account Bancone è stata tolta un'app di autenticazione: i suoi codici non valgono più.`,
          'Se sei stato tu, non devi fare altro.',
          'Se non sei stato tu, qualcuno ha usato il tuo account. Chiedi subito una nuova password e poi, nella pagina Sicurezza, esci da tutti i dispositivi.',
        ],
        button: newPassword,
        notes: [],
      }
    case 'factor_removed_by_administrator':
      return {
        subject: "App di autenticazione tolta dall'account",
        preview: "L'ha tolta un amministratore di Bancone.",
        title: "Un'app di autenticazione in meno",
        paragraphs: [
          `Il ${when} un amministratore di Bancone ha tolto un'app di autenticazione dal tuo account: i suoi codici non valgono più.`,
          'Se lo hai chiesto tu, accedi e attiva di nuovo la verifica in due passaggi dalla pagina Sicurezza.',
          "Se non sei stato tu a chiederlo, cambia la password e scrivi all'assistenza di Bancone.",
        ],
        button: toLogin,
        notes: [],
      }
    case 'recovery_code_used':
      return {
        subject: 'Accesso con un codice di recupero',
        preview: left(mail.remaining),
        title: 'È stato usato un codice di recupero',
        paragraphs: [
          `Il ${when} qualcuno è entrato nel tuo account Bancone con la password e un codice di recupero. Quel codice non vale più.`,
          `${left(mail.remaining)} Puoi crearne di nuovi dalla pagina Sicurezza.`,
          'Se hai perso il telefono, dalla stessa pagina togli la vecchia app di autenticazione e aggiungi quella nuova.',
          'Se non sei stato tu, chiedi subito una nuova password: qualcuno conosce la tua e ha i tuoi codici.',
        ],
        button: newPassword,
        notes: [],
      }
  }
}

function left(remaining: number): string {
  if (remaining === 0) return 'Non ti restano altri codici di recupero.'
  if (remaining === 1) return 'Ti resta un solo codice di recupero.'
  return `Ti restano ${remaining} codici di recupero.`
}

/** Security notices about linked identities. `provider`: its display name. */
export type IdentityNotice = (Notice<'identity_linked'> | Notice<'identity_unlinked'>) & {
  provider: string
}

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
