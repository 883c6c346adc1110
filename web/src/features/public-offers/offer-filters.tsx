import {
  effectiveSearch,
  type OfferKind,
  type OfferSort,
  type PublicOffers,
  type PublicOffersSearch,
  parseSearch,
} from '@bancone/contract/public-offers'
import { ChevronDown, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { primary, secondary } from './styles.ts'
import { searchText } from './use-page-location.ts'

/** Labels of the filter by kind. */
const kinds: Record<OfferKind, string> = {
  all: 'Tutti i prodotti',
  offers: 'Solo offerte',
  featured: 'Solo in evidenza',
}

/** Labels of the sorting. The pharmacy's own order is available only where one exists. */
const sorts: Record<OfferSort, string> = {
  pharmacy: 'Scelti dalla farmacia',
  typeAndDiscount: 'Offerte prima',
  discount: 'Sconto maggiore',
  priceAsc: 'Prezzo crescente',
  priceDesc: 'Prezzo decrescente',
  nameAsc: 'A-Z',
}

type ChoiceProps = { label: string; name: string; value: string; children: ReactNode }

function Choice({ label, name, value, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <span className="relative">
        <select
          // Uncontrolled; the key resets it when the URL changes.
          key={value}
          id={id}
          name={name}
          defaultValue={value}
          className="h-12 w-full appearance-none rounded-control border border-line-strong bg-surface pr-10 pl-3 text-base text-ellipsis hover:bg-sunken"
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-muted"
        />
      </span>
    </div>
  )
}

const option = ([value, label]: readonly [value: string, label: string]) => (
  <option key={value} value={value}>
    {label}
  </option>
)

type OfferFiltersProps = {
  content: Pick<PublicOffers, 'categories' | 'arranged'>
  /** The effective filters of the URL. */
  search: PublicOffersSearch
  /** URL of the page without filters. */
  action: string
  onSearch: (search: PublicOffersSearch) => void
}

/** A form, so that it works without JavaScript, too; collapsed behind a button on phones. */
export function OfferFilters({ content, search, action, onSearch }: OfferFiltersProps) {
  const [open, setOpen] = useState(false)
  const panel = useId()
  const form = useRef<HTMLFormElement>(null)
  const changed = changedFilters(search)

  const apply = () => {
    if (!form.current) return
    const chosen = effectiveSearch(content, parseSearch(new FormData(form.current)))
    if (searchText(chosen) !== searchText(search)) onSearch(chosen)
  }

  const takeEarly = useRef(apply)
  // The filters may have been changed before hydration.
  useEffect(() => takeEarly.current(), [])

  return (
    <form
      ref={form}
      method="get"
      action={action}
      autoComplete="off"
      onChange={apply}
      className="print:hidden"
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={panel}
        className={cn(secondary, 'needs-script w-full md:hidden')}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden />
        Filtri
        {changed > 0 ? (
          <span className="grid h-6 min-w-6 place-items-center rounded-full bg-accent px-1.5 text-sm text-on-accent tabular-nums">
            {changed}
            <span className="sr-only">{changed === 1 ? ' attivo' : ' attivi'}</span>
          </span>
        ) : null}
        <ChevronDown aria-hidden className={cn('ml-auto', open && 'rotate-180')} />
      </button>
      <div
        id={panel}
        className={cn(
          'filters grid gap-3 max-md:pt-3 md:grid-cols-3 md:gap-4',
          open ? null : 'filters-folded',
        )}
      >
        <Choice label="Categoria" name="categoria" value={search.categoria ?? ''}>
          <option value="">Tutte le categorie</option>
          {content.categories.map((name) => option([name, name]))}
        </Choice>
        <Choice label="Tipo di prodotto" name="tipo" value={search.tipo}>
          {Object.entries(kinds).map(option)}
        </Choice>
        <Choice
          label="Ordina per"
          name="ordine"
          value={search.ordine ?? (content.arranged ? 'pharmacy' : 'typeAndDiscount')}
        >
          {Object.entries(sorts)
            .filter(([value]) => value !== 'pharmacy' || content.arranged)
            .map(option)}
        </Choice>
        <button type="submit" className={cn(primary, 'without-script md:col-start-3')}>
          Applica
        </button>
      </div>
    </form>
  )
}

/** Number of filters that differ from the default. */
function changedFilters({ categoria, tipo, ordine }: PublicOffersSearch): number {
  return [categoria !== undefined, tipo !== 'all', ordine !== undefined].filter(Boolean).length
}
