import { testDevice } from '@bancone/contract/notifications'
import { CircleAlert, CircleCheck, Info, LoaderCircle, Send } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { openPagesOnly, stateAdvice } from './notification-advice.ts'
import type { NotificationState } from './notification-state.ts'
import { subscriptionProblem } from './notification-switch.ts'
import { pushSupported, subscribeThisDevice } from './push-subscription.ts'

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

/** Sends a test notification to this device, and reports the outcome. */
function TestNotification({ endpoint }: { endpoint: string }) {
  const { busy, failure, run } = useAction()
  const [isSent, setSent] = useState(false)

  function send() {
    setSent(false)
    void run(async () => {
      await call(testDevice, { body: { endpoint } })
      setSent(true)
    })
  }

  return (
    <div className="mt-3">
      <Button inactive={busy} onClick={send}>
        <Send aria-hidden />
        {busy ? 'Invio in corso...' : 'Invia una notifica di prova'}
      </Button>
      <p role="status" className={cn('mt-2 text-sm', failure ? 'text-danger' : 'text-muted')}>
        {isSent ? 'Inviata: la notifica compare tra qualche secondo.' : failure?.text}
      </p>
    </div>
  )
}

function Push() {
  const [attempt, setAttempt] = useState(0)
  return <PushState key={attempt} onRetry={() => setAttempt(attempt + 1)} />
}

/** Whether this device gets push notifications. Renews the subscription if needed. */
function PushState({ onRetry }: { onRetry: () => void }) {
  const [push, setPush] = useState<DevicePush>(first)
  useEffect(() => {
    let isOver = false
    void subscription().then((found) => {
      if (!isOver) setPush(found)
    })
    return () => {
      isOver = true
    }
  }, [])
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
            <Button size="small" onClick={onRetry}>
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

type DevicePush =
  | { status: 'checking' }
  /** Notified also without an open page; `endpoint` is its push endpoint. */
  | { status: 'ready'; endpoint: string }
  /** The browser does not support push. */
  | { status: 'unsupported' }
  | { status: 'failed'; reason: string }

function first(): DevicePush {
  return { status: pushSupported() ? 'checking' : 'unsupported' }
}

async function subscription(): Promise<DevicePush> {
  try {
    const endpoint = await subscribeThisDevice()
    return endpoint === null ? { status: 'unsupported' } : { status: 'ready', endpoint }
  } catch (error) {
    return { status: 'failed', reason: subscriptionProblem(error) }
  }
}
