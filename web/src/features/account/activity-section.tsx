import {
  type AccountActivity,
  type ActivityKind,
  listAccountActivity,
} from '@bancone/contract/account'
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
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { useNow } from '../../lib/use-now.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { EventPages, useEventPages } from '../../ui/event-pages.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { deviceName } from './devices-section.tsx'

const ASKED_ABOUT_MS = 7 * 86_400_000

/**
 * Whether the event is highlighted as suspicious: old events are not, because a notice that never goes away is
 * ignored.
 */
function isToLookInto(event: AccountActivity, now: number): boolean {
  return activityWords(event).alarming === true && now - Date.parse(event.at) < ASKED_ABOUT_MS
}

/** Device and network address, as far as known. */
function origin({ device, address }: AccountActivity): string {
  const known = device.browser !== null || device.system !== null
  return [known ? deviceName(device) : null, address].filter(Boolean).join(' · ')
}

function ActivityItem({ event, now }: { event: AccountActivity; now: number }) {
  const { Icon, text, alarming } = activityWords(event)
  const relative = formatRelative(event.at, now)
  const from = origin(event)
  return (
    <li className="flex gap-3 py-2.5">
      <Icon
        aria-hidden
        className={`mt-0.5 size-5 shrink-0 ${alarming ? 'text-danger' : 'text-muted'}`}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-medium">{text}</span>
          {alarming ? (
            <span className="rounded-full border border-danger-line bg-danger-soft px-2 text-sm text-danger">
              Da controllare
            </span>
          ) : null}
        </p>
        <p className="text-sm wrap-anywhere text-muted tabular-nums">
          <time dateTime={event.at}>{formatDateTime(event.at)}</time>
          {relative ? ` (${relative})` : null}
          {from ? ` · ${from}` : null}
        </p>
      </div>
    </li>
  )
}

type ActivitySectionProps = {
  area: Area
  /** Opens the form for a new password. */
  onChangePassword: () => void
}

/** The account's activity in the last months. */
export function ActivitySection({ area, onChangePassword }: ActivitySectionProps) {
  const activity = useEventPages(endpointKey(listAccountActivity, { area }), (before, options) =>
    call(listAccountActivity, { query: { before }, area }, options),
  )
  const now = useNow()
  return (
    <CardSection title="Attività recente">
      <EventPages
        query={activity}
        otherwise="Non è stato possibile leggere l'attività. Riprova."
        skeleton={<LinesSkeleton what="dell'attività" lines={['w-56', 'w-2/3', 'w-40']} />}
        empty={<p className="text-sm text-muted">Non è ancora successo nulla.</p>}
        renderAbove={(events) =>
          events.some((event) => isToLookInto(event, now)) ? (
            <Alert
              tone="notice"
              action={
                <Button size="small" onClick={onChangePassword}>
                  Cambia la password
                </Button>
              }
            >
              C'è qualcosa da controllare. Non sei stato tu?
            </Alert>
          ) : null
        }
        className="-my-2.5 divide-y divide-line"
      >
        {(event) => <ActivityItem key={event.id} event={event} now={now} />}
      </EventPages>
    </CardSection>
  )
}

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
