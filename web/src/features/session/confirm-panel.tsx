import { isAuthApiError } from '@supabase/auth-js'
import { useState } from 'react'
import { askAuth } from '../../lib/ask-auth.ts'
import { signOutOnServer } from '../../lib/auth-fetch.ts'
import { authErrorMessage, linkUsed } from '../../lib/auth-messages.ts'
import { unavailable } from '../../lib/common-texts.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { areas } from './areas.ts'
import { LinkProblem } from './link-problem.tsx'
import type { LinkType, MailLink } from './mail-link.ts'
import { SessionCard } from './session-card.tsx'

const words: Record<LinkType, { title: string; intro: string; action: string }> = {
  recovery: {
    title: 'Scegli una nuova password',
    intro: 'Hai chiesto di reimpostare la password. Continua per sceglierne una nuova.',
    action: 'Continua',
  },
  invite: {
    title: 'Ti diamo il benvenuto in Bancone',
    intro: "Accetta l'invito per scegliere la tua password ed entrare.",
    action: "Accetta l'invito",
  },
  magiclink: {
    title: 'Accedi',
    intro: 'Con questo link entri in Bancone senza scrivere la password.',
    action: 'Accedi',
  },
  signup: {
    title: 'Conferma il tuo indirizzo',
    intro: "Ci serve per sapere che l'indirizzo email è davvero tuo. Poi entri in Bancone.",
    action: 'Conferma il tuo indirizzo',
  },
  email_change: {
    title: 'Conferma il nuovo indirizzo',
    intro:
      'Il cambio di email vale quando è confermato due volte: dal link inviato al vecchio indirizzo e da quello inviato al nuovo.',
    action: 'Conferma il nuovo indirizzo',
  },
}

type Ended = { title: string; text: string; renewable: boolean }

const expired: Ended = {
  title: linkUsed,
  text: 'Per sicurezza ogni link vale una volta sola e per un tempo limitato. Puoi chiederne subito uno nuovo.',
  renewable: true,
}

const expiredOfType: Partial<Record<LinkType, Ended>> = {
  invite: {
    ...expired,
    text: 'Se hai già scelto la password, accedi. Altrimenti puoi chiedere subito un nuovo link.',
  },
  email_change: {
    title: linkUsed,
    text: "Il cambio di email va chiesto di nuovo. Fino ad allora vale l'indirizzo di prima.",
    renewable: false,
  },
}

type ConfirmPanelProps = {
  link: MailLink
  /** The link was used up: the page it leads to is next. */
  onDone: () => void
  /** The link was used up: the one sent to the other address is next. */
  onHalf: () => void
}

/** Asks for a click before the link is used up: programs that only open the page change nothing. */
export function ConfirmPanel({ link, onDone, onHalf }: ConfirmPanelProps) {
  const [busy, setBusy] = useState(false)
  const { failure, fail } = useFailure()
  const [ended, setEnded] = useState<Ended | null>(null)

  async function confirm() {
    setBusy(true)
    const outcome = await confirmLink(link)
    // Stays busy until the next page is rendered.
    if (outcome.kind === 'done') return onDone()
    if (outcome.kind === 'half') return onHalf()
    setBusy(false)
    if (outcome.kind === 'failed') {
      fail(outcome.text)
    } else if (outcome.kind === 'expired') {
      setEnded(expiredOfType[link.type] ?? expired)
    } else {
      setEnded({ title: 'Il link non si può usare', text: outcome.text, renewable: false })
    }
  }

  if (ended) {
    return (
      <LinkProblem area={link.area} title={ended.title} renewable={ended.renewable} takesFocus>
        {ended.text}
      </LinkProblem>
    )
  }
  const { title, intro, action } = words[link.type]
  const idle = failure ? 'Riprova' : action
  return (
    <SessionCard
      title={title}
      intro={intro}
      footer={`Se non ${link.type === 'invite' ? 'aspettavi un invito' : 'hai chiesto tu questo link'}, chiudi la pagina: non cambia nulla.`}
    >
      <div className="mt-6 flex flex-col gap-4">
        <FailureAlert failure={failure} />
        <Button look="primary" size="large" inactive={busy} onClick={() => void confirm()}>
          {busy ? 'Verifica in corso...' : idle}
        </Button>
      </div>
    </SessionCard>
  )
}

/**
 * 'half': a change of address needs a confirmation from the other address, too. 'expired' and 'refused': the link is
 * no longer valid. 'failed': the link still works.
 */
type Outcome =
  | { kind: 'done' }
  | { kind: 'half' }
  | { kind: 'expired' }
  | { kind: 'refused'; text: string }
  | { kind: 'failed'; text: string }

const notValid = 'Il link non è valido.'

/** Uses up the link, which signs in the user it was sent to instead of the current one. */
async function confirmLink({ token, type, area }: MailLink): Promise<Outcome> {
  const store = areas[area].session
  const before = store.current()
  const { data, error } = await askAuth(area, (auth) => auth.verifyOtp({ token_hash: token, type }))
  if (error) return outcomeOf(error)
  if (!data?.session) return { kind: 'half' }
  // The replaced session cannot be resumed, so it is ended on the server.
  if (before?.id && before.id !== store.current()?.id) void signOutOnServer(before.accessToken)
  return { kind: 'done' }
}

function outcomeOf(error: unknown): Outcome {
  if (!isAuthApiError(error) || error.status === 429) {
    return { kind: 'failed', text: authErrorMessage(error, unavailable) }
  }
  if (error.code === 'otp_expired') return { kind: 'expired' }
  // The service's message speaks of the request, which here is the link.
  const text = error.code === 'validation_failed' ? notValid : authErrorMessage(error, notValid)
  return { kind: 'refused', text }
}
