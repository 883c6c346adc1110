import { htmlOf, type MailContent, textOf } from '../../mails/mail-layout.ts'
import { durationInWords, nameInSubject, timeInRome } from '../../mails/mail-words.ts'

/** The mails of authentication. Links are absolute URLs (`loginLink`: the sign-in page), codes are digits. */
export type AuthMail =
  | { kind: 'recovery'; link: string; validMinutes: number }
  /** `from`: the inviting party; null for Bancone itself. */
  | { kind: 'invite'; link: string; validMinutes: number; from: string | null }
  | { kind: 'signup'; link: string; code: string; validMinutes: number }
  | { kind: 'magiclink'; link: string; code: string; validMinutes: number }
  /** To the current address. */
  | { kind: 'email_change_current'; link: string; newEmail: string; validMinutes: number }
  /** To the new address. */
  | { kind: 'email_change_new'; link: string; validMinutes: number }
  | { kind: 'reauthentication'; code: string; validMinutes: number }
  | { kind: 'password_changed'; at: Date; recoverLink: string }
  /** To the old address. Does not contain the new one, which may be another person's. */
  | { kind: 'email_changed_by_administrator'; at: Date; loginLink: string }
  /** Sent to the owner for every change, also for their own: a change by an attacker does not go unnoticed. */
  | { kind: 'factor_added'; at: Date; loginLink: string }
  | { kind: 'factor_removed'; at: Date; loginLink: string }
  | { kind: 'factor_removed_by_administrator'; at: Date; loginLink: string }
  /** `remaining`: how many unused codes are left. */
  | { kind: 'recovery_code_used'; at: Date; loginLink: string; remaining: number }
  /** `provider`: its display name. */
  | { kind: 'identity_linked'; at: Date; loginLink: string; provider: string }
  | { kind: 'identity_unlinked'; at: Date; loginLink: string; provider: string }
  /** A sign-up used an address that has an account. */
  | { kind: 'already_registered'; loginLink: string }

/** The mail in Italian, as text and as HTML. */
export function writeAuthMail(mail: AuthMail): { subject: string; text: string; html: string } {
  const content = contentOf(mail)
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) }
}

/** Opening a link changes nothing: mail scanners open links before people do. */
const ONE_CLICK = 'Il link qui sotto apre una pagina in cui confermi con un clic'

function contentOf(mail: AuthMail): MailContent {
  switch (mail.kind) {
    case 'recovery':
      return {
        subject: 'Scegli una nuova password',
        preview: `Il link vale ${durationInWords(mail.validMinutes)}.`,
        title: 'Scegli una nuova password',
        paragraphs: [
          'Hai chiesto di cambiare la password del tuo account Bancone.',
          `${ONE_CLICK}, e poi scegli quella nuova.`,
        ],
        button: { label: 'Scegli la password', link: mail.link },
        notes: [
          linkIsValid(mail.validMinutes),
          'Se non sei stato tu a chiederlo, ignora questa email: la password resta quella di prima.',
        ],
      }
    case 'invite':
      return {
        subject:
          mail.from === null
            ? 'Il tuo invito a Bancone'
            : `${nameInSubject(mail.from)} ti invita a Bancone`,
        ...(mail.from !== null && { pharmacy: nameInSubject(mail.from) }),
        preview: `Accettalo e scegli la tua password. Il link vale ${durationInWords(mail.validMinutes)}.`,
        title: 'Hai un invito a Bancone',
        paragraphs: [
          ...(mail.from === null ? [] : [`${mail.from} ti invita a usare Bancone.`]),
          'Bancone è il banco della farmacia, nel browser. Per te è pronto un account con questo indirizzo.',
          `${ONE_CLICK}, e poi scegli la tua password.`,
        ],
        button: { label: "Accetta l'invito", link: mail.link },
        notes: [
          linkIsValid(mail.validMinutes),
          'Se non aspettavi un invito, ignora questa email: non succede nulla.',
        ],
      }
    case 'signup':
      return {
        subject: 'Conferma il tuo indirizzo email',
        preview: "Manca solo questo per usare l'account.",
        title: 'Conferma il tuo indirizzo email',
        paragraphs: ['Hai creato un account Bancone con questo indirizzo.', `${ONE_CLICK}.`],
        button: { label: "Conferma l'indirizzo", link: mail.link },
        code: { label: 'Se Bancone ti chiede un codice, è questo:', code: mail.code },
        notes: [
          bothAreValid(mail.validMinutes),
          "Se non sei stato tu a creare l'account, ignora questa email: senza conferma non si può usare.",
        ],
      }
    case 'magiclink':
      return {
        subject: 'Accedi a Bancone',
        preview: `Il link vale ${durationInWords(mail.validMinutes)}.`,
        title: 'Accedi a Bancone',
        paragraphs: ['Hai chiesto di accedere senza password.', `${ONE_CLICK}.`],
        button: { label: 'Accedi', link: mail.link },
        code: { label: 'Se Bancone ti chiede un codice, è questo:', code: mail.code },
        notes: [
          bothAreValid(mail.validMinutes),
          'Se non sei stato tu a chiederlo, ignora questa email e non dare il codice a nessuno.',
        ],
      }
    case 'email_change_current':
      return {
        subject: 'Conferma il cambio di indirizzo email',
        preview: 'Per cambiarlo serve la tua conferma anche da qui.',
        title: 'Conferma il cambio di indirizzo',
        paragraphs: [
          `Hai chiesto di usare ${mail.newEmail} per il tuo account Bancone, al posto di questo indirizzo.`,
          `${ONE_CLICK}. Il cambio avviene quando hai confermato da tutti e due gli indirizzi.`,
        ],
        button: { label: 'Conferma il cambio', link: mail.link },
        notes: [
          linkIsValid(mail.validMinutes),
          "Se non sei stato tu a chiederlo, ignora questa email: l'indirizzo resta questo. Cambia però la password, perché qualcuno ha usato il tuo account.",
        ],
      }
    case 'email_change_new':
      return {
        subject: 'Conferma il tuo nuovo indirizzo email',
        preview: 'Confermalo per usarlo con il tuo account Bancone.',
        title: 'Conferma il nuovo indirizzo',
        paragraphs: [
          'Hai chiesto di usare questo indirizzo per il tuo account Bancone.',
          `${ONE_CLICK}.`,
        ],
        button: { label: "Conferma l'indirizzo", link: mail.link },
        notes: [
          linkIsValid(mail.validMinutes),
          'Se non sei stato tu a chiederlo, ignora questa email: questo indirizzo non verrà usato.',
        ],
      }
    case 'reauthentication':
      return {
        subject: 'Il tuo codice di conferma',
        preview: `Il codice vale ${durationInWords(mail.validMinutes)}.`,
        title: 'Il tuo codice di conferma',
        paragraphs: ['Bancone te lo chiede prima di modificare il tuo account.'],
        code: { label: 'Scrivilo nella pagina che lo chiede:', code: mail.code },
        notes: [
          `Il codice vale ${durationInWords(mail.validMinutes)} e si usa una volta sola.`,
          'Se non sei stato tu a chiederlo, ignora questa email e non dare il codice a nessuno. Cambia però la password, perché qualcuno ha usato il tuo account.',
        ],
      }
    case 'password_changed':
      return {
        subject: 'La tua password è cambiata',
        preview: 'Se non sei stato tu, chiedine subito una nuova.',
        title: 'La tua password è cambiata',
        paragraphs: [
          `La password del tuo account Bancone è stata cambiata il ${timeInRome(mail.at)}.`,
          'Se sei stato tu, non devi fare altro.',
          'Se non sei stato tu, chiedi subito una nuova password: quella di adesso smetterà di funzionare.',
        ],
        button: { label: 'Chiedi una nuova password', link: mail.recoverLink },
      }
    case 'email_changed_by_administrator':
      return {
        subject: "L'indirizzo del tuo account è cambiato",
        preview: "L'ha cambiato un amministratore di Bancone.",
        title: "L'indirizzo del tuo account è cambiato",
        paragraphs: [
          `Il ${timeInRome(mail.at)} un amministratore di Bancone ha cambiato l'indirizzo email del tuo account: con questo non si accede più.`,
          'Se lo hai chiesto tu, accedi con il nuovo indirizzo e la password di prima.',
          "Se non sei stato tu a chiederlo, scrivi subito all'assistenza di Bancone.",
        ],
        button: { label: 'Vai alla pagina di accesso', link: mail.loginLink },
      }
    case 'factor_added':
      return {
        subject: "Nuova app di autenticazione nell'account",
        preview: 'Da ora per accedere serve anche il suo codice.',
        title: "Un'app di autenticazione in più",
        paragraphs: [
          `Il ${timeInRome(mail.at)} al tuo account Bancone è stata aggiunta un'app di autenticazione. Da ora, dopo la password, per accedere serve anche un codice.`,
          'Se sei stato tu, conserva i codici di recupero: servono se perdi il telefono.',
          "Se non sei stato tu, qualcuno conosce la tua password. Scrivi subito all'assistenza di Bancone, che può togliere l'app e restituirti l'account.",
        ],
        button: { label: 'Vai alla pagina di accesso', link: mail.loginLink },
      }
    case 'factor_removed':
      return {
        subject: "App di autenticazione tolta dall'account",
        preview: 'Se non sei stato tu, chiedi subito una nuova password.',
        title: "Un'app di autenticazione in meno",
        paragraphs: [
          `Il ${timeInRome(mail.at)} dal tuo account Bancone è stata tolta un'app di autenticazione: i suoi codici non valgono più.`,
          'Se sei stato tu, non devi fare altro.',
          'Se non sei stato tu, qualcuno ha usato il tuo account. Chiedi subito una nuova password e poi, nella pagina Sicurezza, esci da tutti i dispositivi.',
        ],
        button: { label: 'Chiedi una nuova password', link: mail.loginLink },
      }
    case 'factor_removed_by_administrator':
      return {
        subject: "App di autenticazione tolta dall'account",
        preview: "L'ha tolta un amministratore di Bancone.",
        title: "Un'app di autenticazione in meno",
        paragraphs: [
          `Il ${timeInRome(mail.at)} un amministratore di Bancone ha tolto un'app di autenticazione dal tuo account: i suoi codici non valgono più.`,
          'Se lo hai chiesto tu, accedi e attiva di nuovo la verifica in due passaggi dalla pagina Sicurezza.',
          "Se non sei stato tu a chiederlo, cambia la password e scrivi all'assistenza di Bancone.",
        ],
        button: { label: 'Vai alla pagina di accesso', link: mail.loginLink },
      }
    case 'recovery_code_used':
      return {
        subject: 'Accesso con un codice di recupero',
        preview: left(mail.remaining),
        title: 'È stato usato un codice di recupero',
        paragraphs: [
          `Il ${timeInRome(mail.at)} qualcuno è entrato nel tuo account Bancone con la password e un codice di recupero. Quel codice non vale più.`,
          `${left(mail.remaining)} Puoi crearne di nuovi dalla pagina Sicurezza.`,
          'Se hai perso il telefono, dalla stessa pagina togli la vecchia app di autenticazione e aggiungi quella nuova.',
          'Se non sei stato tu, chiedi subito una nuova password: qualcuno conosce la tua e ha i tuoi codici.',
        ],
        button: { label: 'Chiedi una nuova password', link: mail.loginLink },
      }
    case 'identity_linked':
      return {
        subject: `${nameInSubject(mail.provider)} collegato al tuo account`,
        preview: `Da ora puoi accedere anche con ${mail.provider}.`,
        title: `${mail.provider} è collegato al tuo account`,
        paragraphs: [
          `Il ${timeInRome(mail.at)} al tuo account Bancone è stato collegato ${mail.provider}: da ora puoi accedere anche così.`,
          'Se sei stato tu, non devi fare altro.',
          `Se non sei stato tu, accedi e scollega ${mail.provider} dalla pagina Sicurezza. Poi cambia la password.`,
        ],
        button: { label: 'Vai alla pagina di accesso', link: mail.loginLink },
      }
    case 'identity_unlinked':
      return {
        subject: `${nameInSubject(mail.provider)} scollegato dal tuo account`,
        preview: `Con ${mail.provider} non si accede più.`,
        title: `${mail.provider} non è più collegato`,
        paragraphs: [
          `Il ${timeInRome(mail.at)} dal tuo account Bancone è stato scollegato ${mail.provider}: non si può più usare per accedere, e chi era entrato così su un altro dispositivo è stato disconnesso.`,
          'Se sei stato tu, non devi fare altro.',
          'Se non sei stato tu, qualcuno ha usato il tuo account. Chiedi subito una nuova password e poi, nella pagina Sicurezza, esci dagli altri dispositivi.',
        ],
        button: { label: 'Chiedi una nuova password', link: mail.loginLink },
      }
    case 'already_registered':
      return {
        subject: 'Hai già un account Bancone',
        preview: 'Puoi accedere con questo indirizzo.',
        title: 'Hai già un account',
        paragraphs: [
          'Qualcuno ha chiesto di creare un account Bancone con questo indirizzo, che ne ha già uno.',
          'Se sei stato tu, accedi. Se non ricordi la password, puoi chiederne una nuova dalla stessa pagina.',
        ],
        button: { label: 'Vai alla pagina di accesso', link: mail.loginLink },
        notes: ['Se non sei stato tu, ignora questa email: nel tuo account non è cambiato nulla.'],
      }
  }
}

function left(remaining: number): string {
  if (remaining === 0) return 'Non ti restano altri codici di recupero.'
  if (remaining === 1) return 'Ti resta un solo codice di recupero.'
  return `Ti restano ${remaining} codici di recupero.`
}

function linkIsValid(minutes: number): string {
  return `Il link vale ${durationInWords(minutes)} e si usa una volta sola.`
}

function bothAreValid(minutes: number): string {
  return `Link e codice valgono ${durationInWords(minutes)}. Usato uno, l'altro non vale più.`
}
