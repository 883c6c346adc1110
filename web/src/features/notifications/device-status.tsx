import { CircleAlert, CircleCheck, Info, LoaderCircle, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { openPagesOnly, stateAdvice } from './notification-advice.ts'
import type { NotificationState } from './notification-state.ts'
import { useDevicePush, useTestNotification } from './use-device-push.ts'

const looks = {
  good: { Icon: CircleCheck, className: 'border-confirmed-line bg-confirmed-soft text-confirmed' },
  poor: { Icon: CircleAlert, className: 'border-pending-line bg-pending-soft text-pending' },
  plain: { Icon: Info, className: 'border-line bg-sunken text-muted' },
  busy: { Icon: LoaderCircle, className: 'border-line bg-sunken text-muted' },
}

type NoteProps = { look: keyof typeof looks; title: string; text?: string; action?: ReactNode }

function Note({ look, title, text, action }: NoteProps) {
  const { Icon, className } = looks[look]
  return (
    <div className={cn('flex gap-3 rounded-card border px-3.5 py-3 text-sm', className)}>
      <Icon
        aria-hidden
        className={cn(
          'mt-0.5 size-4.5 shrink-0',
          look === 'busy' && 'animate-spin motion-reduce:animate-none',
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {text ? <p className="mt-0.5 text-pretty text-ink">{text}</p> : null}
        {action ? <div className="mt-2.5">{action}</div> : null}
      </div>
    </div>
  )
}

function TestNotification({ endpoint }: { endpoint: string }) {
  const { sending, result, send } = useTestNotification(endpoint)
  return (
    <div className="mt-3">
      <Button inactive={sending} onClick={() => void send()}>
        <Send aria-hidden />
        {sending ? 'Invio in corso...' : 'Invia una notifica di prova'}
      </Button>
      <p
        role="status"
        className={cn('mt-2 text-sm', result?.ok === false ? 'text-danger' : 'text-muted')}
      >
        {result?.text}
      </p>
    </div>
  )
}

function Push() {
  const { push, retry } = useDevicePush()
  switch (push.status) {
    case 'checking':
      return <Note look="busy" title="Controllo di questo dispositivo…" />
    case 'ready':
      return (
        <>
          <Note look="good" title="Questo dispositivo riceve gli avvisi anche a pagina chiusa" />
          <TestNotification endpoint={push.endpoint} />
        </>
      )
    case 'unsupported':
      return (
        <Note
          look="plain"
          title={openPagesOnly}
          text="Questo browser non riceve avvisi a pagina chiusa: lascia aperta la pagina degli ordini."
        />
      )
    case 'failed':
      return (
        <Note
          look="poor"
          title={openPagesOnly}
          text={push.reason}
          action={
            <Button size="small" onClick={retry}>
              Riprova
            </Button>
          }
        />
      )
  }
}

/** Whether the device gets notifications or, if not, why and what to do. */
export function DeviceStatus({ state }: { state: NotificationState }) {
  switch (state) {
    case 'on':
      return <Push />
    case 'off':
      return <Note look="plain" title="Questo dispositivo non riceve avvisi" />
    case 'unasked':
      return (
        <Note
          look="plain"
          title="Questo dispositivo non riceve ancora avvisi"
          text="Attiva le notifiche e, quando il browser lo chiede, scegli Consenti."
        />
      )
    case 'blocked':
    case 'insecure':
    case 'install-first':
    case 'unsupported':
      return <Note look="poor" {...stateAdvice[state]} />
  }
}
