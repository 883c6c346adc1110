import { paths } from '@bancone/contract/pages'
import { ArrowDownUp, Plus, Printer, RotateCw } from 'lucide-react'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { PageTitle } from '../../ui/page-title.tsx'

type OffersHeaderProps = {
  loading: boolean
  /** The form can be opened; it needs the list, the current day and the limit. */
  canCreate: boolean
  /** There are at least two offers to arrange. */
  canArrange: boolean
  newButton: Ref<HTMLButtonElement>
  arrangeButton: Ref<HTMLButtonElement>
  /** The form fills the page: controls of the list are hidden. */
  alone: boolean
  /** The form is open for a new offer: its button is hidden. */
  creating: boolean
  onRefresh: () => void
  onArrange: () => void
  onNew: () => void
}

export function OffersHeader(props: OffersHeaderProps) {
  const { loading, canCreate, canArrange, newButton, arrangeButton, alone, creating } = props
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
          Riordina
        </Button>
        <Link to={paths.offerSheets} className={cn(buttonStyle({}), 'max-sm:px-3')}>
          <Printer aria-hidden />
          Stampa
        </Link>
        {creating ? null : (
          <Button
            ref={newButton}
            look="primary"
            inactive={!canCreate}
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
