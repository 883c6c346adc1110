import {
  changeOrdersPhase,
  getMigrationDetail,
  type MigrationDetail,
  OrdersPhase,
  type PhaseStep,
} from '@bancone/contract/orders-migration'
import { useQueryClient } from '@tanstack/react-query'
import { Check, Circle } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { type ModalProps, useOpened } from '../../../lib/use-opened.ts'
import { ActionDialog } from '../../../ui/action-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { CardSection } from '../../../ui/card-section.tsx'
import { cn } from '../../../ui/class-names.ts'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { orderCount, phaseNames } from '../migration-texts.ts'
import { useMigrationAction } from '../use-migrations.ts'

const descriptions: Record<OrdersPhase, string> = {
  airtable: 'Le pagine leggono da Airtable; il database ne tiene una copia.',
  shadow: 'Le pagine leggono ancora da Airtable; ogni 5 minuti i due vengono confrontati.',
  database: 'Le pagine leggono dal database; le modifiche vanno anche in Airtable.',
  retired: 'Vale solo il database: Airtable non viene più contattato.',
}

function Phase({ phase, detail }: { phase: OrdersPhase; detail: MigrationDetail }) {
  const order = OrdersPhase.options.indexOf(phase)
  const current = OrdersPhase.options.indexOf(detail.phase)
  const isCurrent = order === current
  return (
    <li
      aria-current={isCurrent ? 'step' : undefined}
      className={cn(
        'flex gap-3 rounded-card border p-3.5',
        isCurrent ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'grid size-6 shrink-0 place-items-center rounded-full text-xs font-medium tabular-nums',
          order <= current ? 'bg-accent text-on-accent' : 'border border-line-strong text-muted',
        )}
      >
        {order < current ? <Check className="size-3.5" /> : order + 1}
      </span>
      <div className="min-w-0">
        <h3 className="font-medium">{phaseNames[phase]}</h3>
        <p className="text-sm text-pretty text-muted">{descriptions[phase]}</p>
        {isCurrent && detail.phaseSince !== null ? (
          <p className="mt-1 text-xs tabular-nums">Dal {formatDateTime(detail.phaseSince)}</p>
        ) : null}
      </div>
    </li>
  )
}

/** What the present phase has shown so far. */
function phaseFacts({ shadow, mirrorUntil, waiting }: MigrationDetail): string[] {
  const facts: string[] = []
  if (shadow) {
    const last =
      shadow.checkedAt === null ? '' : `, l'ultimo il ${formatDateTime(shadow.checkedAt)}`
    facts.push(
      shadow.checks === 0
        ? 'Il primo confronto comincia tra poco.'
        : `Confronti fatti: ${formatNumber(shadow.checks)}${last}. ${orderCount(shadow.compared)} a confronto, differenze: ${formatNumber(shadow.mismatches)}.`,
      `Senza differenze dal ${formatDateTime(shadow.cleanSince)}.`,
    )
  }
  if (mirrorUntil !== null) {
    facts.push(`Le modifiche vanno in Airtable almeno fino al ${formatDateTime(mirrorUntil)}.`)
  }
  if (waiting > 0) {
    facts.push(
      waiting === 1
        ? 'Una modifica deve ancora arrivare in Airtable.'
        : `${formatNumber(waiting)} modifiche devono ancora arrivare in Airtable.`,
    )
  }
  return facts
}

type StepProps = { step: PhaseStep; from: OrdersPhase; onOpen: (opener: HTMLElement) => void }

function Step({ step, from, onOpen }: StepProps) {
  const id = useId()
  const isTimely = step.isPossible && !step.needsReason && step.to !== 'retired'
  return (
    <li className="flex flex-col gap-2.5 border-line max-lg:not-first:border-t max-lg:not-first:pt-3.5">
      <h3 className="text-base font-medium">
        {isForward(from, step.to) ? 'Per andare avanti' : 'Per tornare indietro'}
      </h3>
      <ul
        id={id}
        aria-label={`Che cosa serve: ${stepTitle(from, step.to)}`}
        className="flex flex-col gap-1 text-sm"
      >
        {step.needs.map(({ text, met }) => (
          <li key={text} className="flex gap-2">
            {met ? (
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-confirmed" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            )}
            <span className={met ? undefined : 'text-muted'}>
              <span className="sr-only">{met ? 'Fatto: ' : 'Manca: '}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      <Button
        look={isTimely && isForward(from, step.to) ? 'primary' : 'secondary'}
        className="self-start"
        aria-haspopup="dialog"
        aria-describedby={id}
        inactive={!step.isPossible}
        onClick={({ currentTarget }) => onOpen(currentTarget)}
      >
        {stepTitle(from, step.to)}
      </Button>
    </li>
  )
}

/** The phases on the way out of Airtable, with what the next one needs. */
export function PhaseSteps({ detail }: { detail: MigrationDetail }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const asked = useOpened<PhaseStep>(heading)
  return (
    <CardSection title="Fasi" heading={heading}>
      <ol className="grid gap-2.5 md:grid-cols-2 xl:grid-cols-4">
        {OrdersPhase.options.map((phase) => (
          <Phase key={phase} phase={phase} detail={detail} />
        ))}
      </ol>
      <ul className="flex flex-col gap-1 text-sm text-pretty tabular-nums empty:hidden">
        {phaseFacts(detail).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <ul className="grid gap-x-10 gap-y-3.5 border-t border-line pt-3.5 empty:hidden lg:grid-cols-2">
        {detail.steps.map((step) => (
          <Step
            key={step.to}
            step={step}
            from={detail.phase}
            onOpen={(opener) => asked.open(step, opener)}
          />
        ))}
      </ul>
      {asked.item ? <PhaseDialog detail={detail} step={asked.item} {...asked.modal} /> : null}
    </CardSection>
  )
}

const MAX_REASON = 500
const MIN_REASON = 10

type PhaseDialogProps = ModalProps & {
  detail: MigrationDetail
  step: PhaseStep
}

/** Says what a move to another phase means, and makes it. */
function PhaseDialog({ detail, step, onClose, onReturnFocus }: PhaseDialogProps) {
  const { id: pharmacyId, name } = detail
  // The phase may change while the dialog is open: the server refuses the move then.
  const [from] = useState(detail.phase)
  const { to, needsReason } = step
  const id = useId()
  const client = useQueryClient()
  const { busy, failure, start } = useMigrationAction()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)

  function submit() {
    const length = reason.trim().length
    if (needsReason && (length < MIN_REASON || length > MAX_REASON)) {
      setMissing(length < MIN_REASON)
      return
    }
    start(async () => {
      const params = { pharmacyId }
      const body = { from, to, ...(needsReason && { reason: reason.trim() }) }
      const changed = await call(changeOrdersPhase, { params, body })
      client.setQueryData(endpointKey(getMigrationDetail, { params }), changed)
      toastSuccess(
        changed.phase === to
          ? `Fase della migrazione: ${phaseNames[to]}`
          : 'Ritorno ad Airtable avviato',
        { about: `phase-${pharmacyId}`, description: name },
      )
      onClose()
    })
  }

  return (
    <ActionDialog
      title={`${stepTitle(from, to)}: «${name}»`}
      text={stepEffect(from, to)}
      confirm={stepTitle(from, to)}
      confirming="Cambio in corso…"
      look={to === 'retired' ? 'danger' : 'primary'}
      busy={busy}
      action={id}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {needsReason ? (
          <TextArea
            label="Motivo"
            value={reason}
            maxCharacters={MAX_REASON}
            hint="Non tutte le condizioni di tempo sono soddisfatte: scrivi perché lo fai adesso. Il motivo resta nel registro."
            error={isMissing ? `Scrivi almeno ${MIN_REASON} caratteri.` : undefined}
            onChange={({ target }) => {
              setReason(target.value)
              setMissing(false)
            }}
          />
        ) : null}
      </form>
      <FailureAlert failure={failure} />
    </ActionDialog>
  )
}

function isForward(from: OrdersPhase, to: OrdersPhase): boolean {
  return OrdersPhase.options.indexOf(to) > OrdersPhase.options.indexOf(from)
}

const forward: Record<OrdersPhase, string> = {
  airtable: '',
  shadow: 'Avvia il confronto',
  database: 'Passa al database',
  retired: 'Lascia Airtable',
}

/** What a move to a phase is called. */
function stepTitle(from: OrdersPhase, to: OrdersPhase): string {
  return isForward(from, to) ? forward[to] : `Torna ad ${phaseNames[to]}`
}

/** What happens with a move, before it is made. */
function stepEffect(from: OrdersPhase, to: OrdersPhase): string {
  if (!isForward(from, to)) return backEffects[from]
  return forwardEffects[to]
}

const forwardEffects: Record<OrdersPhase, string> = {
  airtable: '',
  shadow:
    'Le pagine della farmacia restano come sono. Ogni 5 minuti Airtable e il database vengono confrontati: dopo 24 ore senza differenze si può passare al database.',
  database:
    'Entro 2 secondi le pagine della farmacia leggono solo dal database, senza interruzioni. Le modifiche continuano ad andare in Airtable per almeno 14 giorni, e gli ordini scritti in Airtable si importano ancora. Si può tornare indietro.',
  retired:
    'Airtable non viene più contattato: le modifiche restano nel database, e gli ordini che altri programmi scrivono in Airtable non arrivano più. Prima controlla che nessuna automazione ci scriva ancora.',
}

const backEffects: Record<OrdersPhase, string> = {
  airtable: '',
  shadow: 'Il confronto si ferma. Per le pagine della farmacia non cambia nulla.',
  database:
    'Prima le modifiche in attesa vanno in Airtable, poi tutto viene verificato, e alla fine le pagine leggono di nuovo da Airtable, che vale anche dove resta una differenza: gli ordini eliminati in Airtable spariscono anche qui. Se una modifica non arriva in Airtable la farmacia rimane nel database.',
  retired:
    'Airtable viene letto di nuovo, e le modifiche fatte nel frattempo nel database ci vengono scritte. Le pagine della farmacia leggono di nuovo da Airtable.',
}
