import { RefreshCw, Timer, TimerOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

/** Refetches the orders. On a phone only its icon is visible. */
export function RefreshButton({ busy, onRefresh }: { busy: boolean; onRefresh: () => void }) {
  return (
    <Button className="max-sm:w-11 max-sm:px-0" inactive={busy} onClick={onRefresh}>
      <RefreshCw aria-hidden className={cn(busy && 'animate-spin motion-reduce:animate-none')} />
      <span className="max-sm:sr-only">Aggiorna</span>
    </Button>
  )
}

export function AutoRefreshButton({
  on,
  onChange,
}: {
  on: boolean
  onChange: (on: boolean) => void
}) {
  const Icon = on ? Timer : TimerOff
  return (
    <Button aria-pressed={on} onClick={() => onChange(!on)}>
      <Icon aria-hidden />
      {on ? 'Auto-aggiornamento attivo' : 'Attiva auto-aggiornamento'}
    </Button>
  )
}
