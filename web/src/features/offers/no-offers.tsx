import { Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { offersListId } from './offer-focus.ts'
import { type Go, NO_FILTER, type OffersAddress } from './offers-address.ts'

const ofTab: Record<OffersAddress['stato'], string> = {
  tutte: '',
  attive: 'Oggi non c’è nessuna offerta in corso.',
  inattive: 'Non c’è nessuna offerta inattiva.',
  archivio: 'Qui trovi le offerte scadute, per riproporle con «Duplica».',
}

type NoOffersProps = {
  /** The pharmacy has no offers at all. */
  none: boolean
  address: OffersAddress
  go: Go
  /** The button that opens the form. */
  action: ReactNode
}

/** Shown instead of an empty list: why it is empty, and what to do. */
export function NoOffers({ none, address, go, action }: NoOffersProps) {
  const words = address.q.trim()

  function showAll() {
    // The button disappears with this notice.
    document.getElementById(offersListId)?.focus()
    go(NO_FILTER)
  }

  return (
    <EmptyList
      icon={<Tag />}
      title="Nessuna offerta trovata"
      action={none ? action : <Button onClick={showAll}>Mostra tutte le offerte</Button>}
    >
      {none ? (
        'Crea la prima con il modulo: la vedranno subito i tuoi clienti, nella pagina pubblica.'
      ) : words === '' ? (
        ofTab[address.stato]
      ) : (
        <span className="wrap-anywhere">
          Hai cercato «{words}»: controlla come è scritto, oppure prova con una parola sola.
        </span>
      )}
    </EmptyList>
  )
}
