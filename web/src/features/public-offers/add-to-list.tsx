import type { PublicOffer } from '@bancone/contract/public-offers'
import { MAX_ORDERED_PRODUCTS } from '@bancone/contract/whatsapp-order'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import type { Shop } from './shop.ts'
import { quiet } from './styles.ts'

type AddToListProps = {
  offer: PublicOffer
  /** Element id of the product's name. */
  describedBy: string
  shop: Pick<Shop, 'list' | 'navigation'>
  look?: string
  className?: string
}

/** Adds the product to the order list; afterwards it opens the list. */
export function AddToList({ offer, describedBy, shop, look = quiet, className }: AddToListProps) {
  const { list, navigation } = shop
  const [said, setSaid] = useState<string | null>(null)
  const listed = list.lines.some(({ offerId }) => offerId === offer.id)
  const full = !listed && list.lines.length >= MAX_ORDERED_PRODUCTS
  const Icon = listed ? Check : Plus

  function press() {
    if (listed) return navigation.openList()
    if (full) return setSaid(`La lista è piena: ci stanno ${MAX_ORDERED_PRODUCTS} prodotti.`)
    list.add(offer)
    return setSaid('Aggiunto alla lista')
  }

  return (
    <>
      <button
        type="button"
        aria-describedby={describedBy}
        className={cn(look, 'needs-script', className)}
        onClick={press}
      >
        <Icon aria-hidden />
        <span>
          {listed ? 'Nella lista' : 'Aggiungi alla lista'}
          {listed ? <span className="sr-only"> (apri la lista)</span> : null}
        </span>
      </button>
      <p role="status" className={full ? 'text-center text-sm text-muted empty:hidden' : 'sr-only'}>
        {listed || full ? said : null}
      </p>
    </>
  )
}
