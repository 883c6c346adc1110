import { useState } from 'react'
import { linkUsed } from '../../lib/auth-messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { confirmLink } from './confirm-link.ts'
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

const expired: Record<'link' | 'invitation' | 'change', Ended> = {
  link: {
    title: linkUsed,
    text: 'Per sicurezza ogni link vale una volta sola e per un tempo limitato. Puoi chiederne subito uno nuovo.',
    renewable: true,
  },
  invitation: {
    title: linkUsed,
    text: 'Se hai già scelto la password, accedi. Altrimenti puoi chiedere subito un nuovo link.',
    renewable: true,
  },
  change: {
    title: linkUsed,
    text: "Il cambio di email va chiesto di nuovo. Fino ad allora vale l'indirizzo di prima.",
    renewable: false,
  },
}

const ofType: Partial<Record<LinkType, keyof typeof expired>> = {
  invite: 'invitation',
  email_change: 'change',
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
      setEnded(expired[ofType[link.type] ?? 'link'])
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
