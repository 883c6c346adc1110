import { formatPrice } from '@bancone/contract/money'
import { ShoppingBasket } from 'lucide-react'
import { cn } from '../../ui/class-names.ts'
import { listTotal } from './list-total.ts'
import { primary } from './looks.ts'
import type { Shop } from './shop.ts'

export const LIST_BUTTON_ID = 'apri-lista'

/** Opens the order list; fixed to the bottom of the screen. */
export function ListBar({
  shop: { list, navigation },
}: {
  shop: Pick<Shop, 'list' | 'navigation'>
}) {
  return (
    <>
      {/* The page is padded, so that its end can be scrolled above the bar. */}
      <div aria-hidden className="h-24" />
      <div className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] shadow-float">
        <div className="mx-auto flex max-w-5xl items-center justify-end px-3 md:px-6">
          <button
            type="button"
            id={LIST_BUTTON_ID}
            className={cn(primary, 'w-full px-4 sm:w-auto sm:min-w-72')}
            onClick={navigation.openList}
          >
            <ShoppingBasket aria-hidden />
            <span>Lista ({list.lines.length})</span>
            <span className="ml-auto tabular-nums">
              <span className="sr-only">, totale </span>
              {formatPrice(listTotal(list.lines))}
            </span>
          </button>
        </div>
      </div>
    </>
  )
}
