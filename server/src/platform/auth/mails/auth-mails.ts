import { htmlOf, type MailContent, textOf } from '../../mails/mail-layout.ts'
import { durationInWords, nameInSubject, timeInRome } from '../../mails/mail-words.ts'
import { type FactorNotice, factorNotice, type IdentityNotice, identityNotice } from './notices.ts'

/** The mails of authentication. Links are absolute URLs, codes are digits. */
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
  | FactorNotice
  | IdentityNotice
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
        notes: [],
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
        notes: [],
      }
    case 'factor_added':
    case 'factor_removed':
    case 'factor_removed_by_administrator':
    case 'recovery_code_used':
      return factorNotice(mail)
    case 'identity_linked':
    case 'identity_unlinked':
      return identityNotice(mail)
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

function linkIsValid(minutes: number): string {
  return `Il link vale ${durationInWords(minutes)} e si usa una volta sola.`
}

function bothAreValid(minutes: number): string {
  return `Link e codice valgono ${durationInWords(minutes)}. Usato uno, l'altro non vale più.`
}
