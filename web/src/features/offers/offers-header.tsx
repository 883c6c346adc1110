import { paths } from '@bancone/contract/pages'
import { ArrowDownUp, Plus, Printer, RotateCw } from 'lucide-react'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { PageTitle } from '../../ui/page-title.tsx'

type OffersHeaderProps = {
  loading: boolean
  /** The form can open: without the list, its day and its limit it cannot. */
  canMake: boolean
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
  const { loading, canMake, canArrange, newButton, arrangeButton, alone, making } = props
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <PageTitle>Gestione Offerte</PageTitle>
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
            inactive={!canMake}
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
