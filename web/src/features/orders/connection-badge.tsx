import { LoaderCircle, type LucideIcon, Pause, Timer, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RealtimeState } from '../../lib/realtime.ts'
import { cn } from '../../ui/class-names.ts'

/** A state is shown only after it has lasted this long. */
const SHOW_AFTER_MS = 1_000

type Mode = 'live' | 'trying' | 'polling' | 'manual'

const looks: Record<Mode, { text: string; Icon: LucideIcon; dot: string; icon: string }> = {
  live: { text: 'In tempo reale', Icon: Zap, dot: 'bg-accent', icon: 'text-accent' },
  trying: {
    text: 'Riconnessione…',
    Icon: LoaderCircle,
    dot: 'bg-pending',
    icon: 'animate-spin text-pending motion-reduce:animate-none',
  },
  polling: {
    text: 'Aggiornamento ogni 60 secondi',
    Icon: Timer,
    dot: 'bg-control',
    icon: 'text-muted',
  },
  manual: { text: 'Aggiornamento manuale', Icon: Pause, dot: 'bg-control', icon: 'text-muted' },
}

const modes: Record<RealtimeState, Mode> = {
  connecting: 'trying',
  live: 'live',
  reconnecting: 'trying',
  off: 'polling',
}

/** The mode to show, ignoring short interruptions. */
function useSettled(connection: RealtimeState): Mode | null {
  const mode = modes[connection]
  const [settled, setSettled] = useState<Mode | null>(null)
  useEffect(() => {
    const timer = setTimeout(setSettled, mode === 'trying' ? SHOW_AFTER_MS : 0, mode)
    return () => clearTimeout(timer)
  }, [mode])
  return mode === 'trying' ? settled : mode
}

/** The text for screen readers: live updates stopped, or resumed. */
function useSpoken(mode: Mode | null): string {
  const [spoken, setSpoken] = useState<Mode | null>(null)
  if (mode === 'polling' && spoken !== 'polling') setSpoken('polling')
  if (mode === 'live' && spoken === 'polling') setSpoken('live')
  return spoken ? looks[spoken].text : ''
}

type ConnectionBadgeProps = { connection: RealtimeState; autoRefresh: boolean }

/** Badge with the way in which the page is updated. */
export function ConnectionBadge({ connection, autoRefresh }: ConnectionBadgeProps) {
  const settled = useSettled(connection)
  const spoken = useSpoken(settled)
  const mode = autoRefresh ? settled : 'manual'
  const look = mode && looks[mode]
  return (
    <>
      <p className="flex min-h-5.5 items-center gap-1.5 text-sm text-muted print:hidden">
        {look ? (
          <>
            <span aria-hidden className={cn('size-2 shrink-0 rounded-full', look.dot)} />
            <look.Icon aria-hidden className={cn('size-3.5 shrink-0', look.icon)} />
            {look.text}
          </>
        ) : null}
      </p>
      <p role="status" className="sr-only">
        {autoRefresh ? spoken : ''}
      </p>
    </>
  )
}
