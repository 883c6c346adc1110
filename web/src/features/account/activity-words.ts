import type { AccountActivity, ActivityKind } from '@bancone/contract/account'
import {
  Ban,
  KeyRound,
  Link2,
  Link2Off,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  ShieldAlert,
  ShieldCheck,
  ShieldMinus,
  ShieldPlus,
  TriangleAlert,
  UserCog,
  UserPlus,
} from 'lucide-react'

type Words = {
  Icon: LucideIcon
  text: string
  /** The event may be the act of an intruder. */
  alarming?: true
}

const words: Record<ActivityKind, Words> = {
  signed_in: { Icon: LogIn, text: 'Accesso riuscito' },
  sign_in_failed: { Icon: TriangleAlert, text: 'Password sbagliata', alarming: true },
  signed_out: { Icon: LogOut, text: 'Uscita' },
  session_ended: { Icon: LogOut, text: 'Un dispositivo è stato fatto uscire' },
  refresh_token_reused: {
    Icon: ShieldAlert,
    text: "Una sessione è stata chiusa: qualcuno l'ha usata da un altro posto",
    alarming: true,
  },
  password_changed: { Icon: KeyRound, text: 'Password cambiata' },
  confirmation_failed: {
    Icon: TriangleAlert,
    text: "Conferma dell'identità non riuscita",
    alarming: true,
  },
  recovery_link_used: { Icon: Mail, text: 'Accesso con il link per la nuova password' },
  email_change_asked: { Icon: Mail, text: 'Chiesto il cambio di email' },
  email_changed: { Icon: Mail, text: 'Email cambiata' },
  account_changed_by_administrator: {
    Icon: UserCog,
    text: 'Account modificato da un amministratore',
  },
  link_made_by_administrator: {
    Icon: UserCog,
    text: 'Link di accesso creato da un amministratore',
  },
  factor_added: { Icon: ShieldPlus, text: 'App di autenticazione aggiunta' },
  factor_removed: { Icon: ShieldMinus, text: 'App di autenticazione rimossa' },
  factor_removed_by_administrator: {
    Icon: ShieldMinus,
    text: 'App di autenticazione rimossa da un amministratore',
  },
  factor_failed: { Icon: Ban, text: 'Codice di verifica sbagliato', alarming: true },
  factor_passed: { Icon: ShieldCheck, text: 'Verifica in due passaggi superata' },
  recovery_codes_made: { Icon: KeyRound, text: 'Creati i codici di recupero' },
  recovery_code_used: { Icon: KeyRound, text: 'Usato un codice di recupero' },
  identity_linked: { Icon: Link2, text: 'Accesso esterno collegato' },
  identity_unlinked: { Icon: Link2Off, text: 'Accesso esterno scollegato' },
  invited: { Icon: UserPlus, text: 'Invito ricevuto' },
}

/** Names of sign-in methods other than the password. */
const methods = new Map([
  ['otp', 'con un codice o un link ricevuto per email'],
  ['magiclink', 'con un link ricevuto per email'],
  ['recovery', 'con il link per la nuova password'],
  ['invite', "con il link dell'invito"],
  ['email/signup', 'con il link di conferma'],
  ['email_change', 'con il link di conferma'],
  ['oauth', 'con un accesso collegato'],
])

/** Text and icon of an event. */
export function activityWords({ kind, method }: Pick<AccountActivity, 'kind' | 'method'>): Words {
  const found = words[kind]
  const how = methods.get(method ?? '')
  return how === undefined ? found : { ...found, text: `${found.text} ${how}` }
}
