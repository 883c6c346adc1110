import type { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import { paths } from '@bancone/contract/pages'
import { Building2, FileUp, Plus } from 'lucide-react'
import { useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { DeletePharmacyDialog } from './delete-pharmacy-dialog.tsx'
import { MAX_LETTERS, usePharmaciesAddress } from './pharmacies-address.ts'
import { PharmacyList, PharmacyListSkeleton } from './pharmacy-list.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { matches, useAdminPharmacies } from './use-admin-pharmacies.ts'
import { useSwitchPharmacy } from './use-switch-pharmacy.ts'

/** Rows on a page. */
const PAGE_SIZE = 50

const newPharmacy = (
  <>
    <Plus aria-hidden />
    Nuova farmacia
  </>
)

/** The list of all pharmacies. */
export function PharmaciesPage() {
  const query = useAdminPharmacies()
  const [{ page, q }, change] = usePharmaciesAddress()
  const search = useSearchText({
    inUrl: q,
    normalize: (text) => text,
    onSearch: (text, options) => change({ q: text }, options),
  })
  const { search: params, hash } = useLocation()
  const switches = useSwitchPharmacy()
  const newLink = useRef<HTMLAnchorElement>(null)
  const removing = useOpened<AdminPharmacy>(newLink)
  const moving = useOpened<AdminPharmacy>(newLink)
  const { item: moved } = moving
  const found = query.data?.pharmacies.filter((pharmacy) => matches(pharmacy, q)) ?? []
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const shown = Math.min(page, pages)
  const back = { list: params + hash }

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Farmacie</PageTitle>
        <div className="flex flex-wrap items-center gap-2">
          <Link to={paths.adminDeletedPharmacies} className={buttonStyle({ look: 'quiet' })}>
            Eliminate
          </Link>
          <Link to={paths.adminPharmacyImport} className={buttonStyle({})}>
            <FileUp aria-hidden />
            Importa
          </Link>
          <Link
            ref={newLink}
            to={paths.adminNewPharmacy}
            state={back}
            className={buttonStyle({ look: 'primary' })}
          >
            {newPharmacy}
          </Link>
        </div>
      </div>
      <div className="flex">
        <SearchField
          placeholder="Codice, nome, email o indirizzo"
          value={search.text}
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
          onType={search.type}
          onKeyDown={({ key }) => (key === 'Escape' ? search.clear() : undefined)}
          onClear={search.clear}
        />
      </div>
      <p role="status" className="sr-only">
        {query.data && q.trim() !== '' ? `Farmacie trovate: ${found.length}` : null}
      </p>
      <QueryStates
        query={query}
        title="Errore nel caricamento delle farmacie"
        skeleton={<PharmacyListSkeleton />}
      >
        {({ pharmacies }) =>
          found.length > 0 ? (
            <>
              <PharmacyList
                items={found.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE).map((pharmacy) => ({
                  pharmacy: switches.shown(pharmacy),
                  busy: switches.isPending(pharmacy.id),
                  back,
                  onActive: (active) => switches.changeStatus(pharmacy, active),
                  onSource: (opener) => moving.open(pharmacy, opener),
                  onRemove: (opener) => removing.open(pharmacy, opener),
                }))}
              />
              <ListPages
                label="Pagine delle farmacie"
                text={found.length === 1 ? '1 farmacia' : `${formatNumber(found.length)} farmacie`}
                page={shown}
                pages={pages}
                onPage={(next) => {
                  change({ page: next })
                  window.scrollTo({ top: 0 })
                }}
              />
            </>
          ) : pharmacies.length === 0 ? (
            <EmptyList
              icon={<Building2 />}
              title="Nessuna farmacia"
              action={
                <Link
                  to={paths.adminNewPharmacy}
                  state={back}
                  className={buttonStyle({ look: 'primary' })}
                >
                  {newPharmacy}
                </Link>
              }
            >
              Non c'è ancora nessuna farmacia: crea la prima.
            </EmptyList>
          ) : (
            <EmptyList
              icon={<Building2 />}
              title="Nessuna farmacia trovata"
              action={<Button onClick={search.clear}>Mostra tutte le farmacie</Button>}
            >
              <span className="wrap-anywhere">
                Hai cercato «{q.trim()}»: controlla come è scritto, oppure prova con una parola
                sola.
              </span>
            </EmptyList>
          )
        }
      </QueryStates>
      {moved ? (
        <SourceDialog
          pharmacy={moved}
          onConfirm={() => switches.changeSource(moved)}
          onClose={moving.close}
          onReturnFocus={moving.returnFocus}
        />
      ) : null}
      {removing.item ? (
        <DeletePharmacyDialog
          pharmacy={removing.item}
          onClose={removing.close}
          onReturnFocus={removing.returnFocus}
        />
      ) : null}
    </div>
  )
}
