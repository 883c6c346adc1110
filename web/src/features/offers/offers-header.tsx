import { paths } from '@bancone/contract/pages'
import { ArrowDownUp, Plus, Printer, RotateCw } from 'lucide-react'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

type OffersHeaderProps = {
  loading: boolean
  /** There are at least two to put in an order. */
  canArrange: boolean
  newButton: Ref<HTMLButtonElement>
  arrangeButton: Ref<HTMLButtonElement>
  /** The form stands alone: what is about the list has no place. */
  alone: boolean
  /** The form is open for a new offer: nothing has to open it. */
  making: boolean
  onRefresh: () => void
  onArrange: () => void
  onNew: () => void
}

export function OffersHeader(props: OffersHeaderProps) {
  const { loading, canArrange, newButton, arrangeButton, alone, making } = props
  const heading = useArrivalFocus()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <h1
        ref={heading}
        tabIndex={-1}
        className="text-2xl leading-tight font-medium tracking-tight outline-none"
      >
        Gestione Offerte
      </h1>
      <div className={cn('flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1', alone && 'hidden')}>
        <Button inactive={loading} onClick={props.onRefresh} className="max-sm:px-3">
          <RotateCw
            aria-hidden
            className={cn(loading && 'animate-spin motion-reduce:animate-none')}
          />
          Aggiorna
        </Button>
        <Button
          ref={arrangeButton}
          aria-haspopup="dialog"
          inactive={!canArrange}
          onClick={props.onArrange}
          className="max-sm:px-3"
        >
          <ArrowDownUp aria-hidden />
          Ordina
        </Button>
        <Link to={paths.offerSheets} className={cn(buttonStyle({}), 'max-sm:px-3')}>
          <Printer aria-hidden />
          Stampa
        </Link>
        {making ? null : (
          <Button
            ref={newButton}
            look="primary"
            onClick={props.onNew}
            className="max-sm:order-first"
          >
            <Plus aria-hidden />
            Nuova offerta
          </Button>
        )}
      </div>
    </div>
  )
}
