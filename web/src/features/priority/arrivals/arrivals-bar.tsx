import { ChevronRight, Megaphone } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'

type ArrivalsBarProps = {
  /** Arrivals that no operator has acknowledged. */
  count: number
  /** Null where the customers are on the screen already. */
  onShow: (() => void) | null
  onAcknowledge: () => void
}

const message =
  'flex min-w-0 flex-1 items-center gap-2 text-left text-sm leading-tight font-medium sm:text-base'

/** Announces customers on every page until an operator acknowledges their arrival. */
export function ArrivalsBar({ count, onShow, onAcknowledge }: ArrivalsBarProps) {
  const text = (
    <>
      <Megaphone aria-hidden className="size-4.5 shrink-0 text-accent" />
      <span>
        {count === 1 ? 'È arrivato un cliente' : `Sono arrivati ${formatNumber(count)} clienti`}
      </span>
    </>
  )
  return (
    <div role="status" className="min-w-0 max-xl:flex-1">
      {count > 0 ? (
        <div className="flex animate-fade-in items-center gap-2">
          {onShow ? (
            <button
              type="button"
              className={`group ${message} min-h-9 rounded-control pointer-coarse:min-h-11`}
              onClick={onShow}
            >
              {text}
              <span className="text-accent underline-offset-4 group-hover:underline max-sm:sr-only">
                Visualizza
              </span>
              <ChevronRight aria-hidden className="-ml-1 size-4 shrink-0 text-accent sm:hidden" />
            </button>
          ) : (
            <p className={message}>{text}</p>
          )}
          <Button look="primary" onClick={onAcknowledge}>
            Ho visto
          </Button>
        </div>
      ) : null}
    </div>
  )
}
