import { adminMigrationPath } from '@bancone/contract/admin-pages'
import { type AdminPharmacy, removePharmacy } from '@bancone/contract/admin-pharmacies'
import { paths } from '@bancone/contract/pages'
import { listDeletedPharmacies } from '@bancone/contract/pharmacy-deletion'
import { useQueryClient } from '@tanstack/react-query'
import { Building2, FileUp, Plus } from 'lucide-react'
import { useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { z } from 'zod/mini'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'
import { type FilterUrl, searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { unlessGone } from '../../lib/use-action.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { CodeDialog } from '../../ui/code-dialog.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PharmacyExportPart } from './deleted/pharmacy-export.tsx'
import { PharmacyList, PharmacyListSkeleton } from './pharmacy-list.tsx'
import { invalidatePharmacies, matches, useAdminPharmacies } from './use-admin-pharmacies.ts'
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
          search={search}
          placeholder="Codice, nome, email o indirizzo"
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
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

const MAX_LETTERS = 100

const params = searchParamsFormat(
  z.object({ page: z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1) }),
)

type PharmaciesAddress = ReturnType<typeof params.parse> & { q: string }

/** The words are in the hash, which no server is sent: they may be a person's email address. */
const pharmaciesUrl = {
  parse: ({ search, hash }: FilterUrl): PharmaciesAddress => {
    const q = new URLSearchParams(hash.slice(1)).get('q') ?? ''
    return { ...params.parse({ search }), q: q.slice(0, MAX_LETTERS) }
  },
  format: ({ page, q = '' }: Partial<PharmaciesAddress>): FilterUrl => ({
    ...params.format(page === undefined ? {} : { page }),
    hash: q === '' ? '' : `#q=${encodeURIComponent(q)}`,
  }),
}

/** Page and search text of the list in the URL, and a function to change them. */
function usePharmaciesAddress() {
  return useUrlFilter<PharmaciesAddress>(pharmaciesUrl)
}

type SourceDialogProps = {
  pharmacy: AdminPharmacy
  /** @throws when the server refuses it */
  onConfirm: () => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks before the orders of a pharmacy come from elsewhere; a refusal says what is missing. */
function SourceDialog({ pharmacy, ...dialog }: SourceDialogProps) {
  const { id, name, use_supabase_orders: isInDatabase } = pharmacy
  const question = isInDatabase
    ? {
        title: `Tornare ad Airtable per «${name}»?`,
        text: 'Prima le modifiche in attesa vanno in Airtable e tutto viene confrontato; poi ordini e analytics usano di nuovo Airtable. Gli ordini eliminati in Airtable spariscono anche qui.',
        confirm: 'Torna ad Airtable',
      }
    : {
        title: `Passare a Supabase per «${name}»?`,
        text: 'Ordini e analytics usano solo il database; le modifiche vanno ancora anche in Airtable. Serve una migrazione verificata, con 24 ore di confronto senza differenze.',
        confirm: 'Passa a Supabase',
      }
  return (
    <ConfirmDialog
      {...dialog}
      {...question}
      look="primary"
      confirming="Cambio in corso…"
      explain={(error) => `Errore durante la modifica della fonte ordini. ${errorMessage(error)}`}
    >
      <Link to={adminMigrationPath(id)} className="self-start text-accent underline">
        Apri la migrazione
      </Link>
    </ConfirmDialog>
  )
}

type DeletePharmacyDialogProps = {
  pharmacy: AdminPharmacy
  onClose: () => void
  onReturnFocus: () => void
}

/** Deletes a pharmacy, and offers an export of it. */
function DeletePharmacyDialog(props: DeletePharmacyDialogProps) {
  const { pharmacy, onClose, onReturnFocus } = props
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removePharmacy)

  async function remove() {
    const removal = mutateAsync({ query: { pharmacyId: pharmacy.id } })
    await unlessGone(removal, 'pharmacies.not_found')
    void client.invalidateQueries({ queryKey: endpointKey(listDeletedPharmacies) })
    await invalidatePharmacies(client)
    toastSuccess('Farmacia eliminata', { description: pharmacy.name })
  }

  return (
    <CodeDialog
      title={`Eliminare la farmacia «${pharmacy.name}»?`}
      text="Sparisce subito ovunque: nessuno può più accedere, e la pagina pubblica non si vede più. Si può ripristinare per 30 giorni; dopo, questa azione non può essere annullata."
      code={pharmacy.pharmacy_id}
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={(error) => `Errore durante l'eliminazione della farmacia. ${errorMessage(error)}`}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="flex-1 basis-48 text-sm text-muted">
          Puoi esportare tutto quello che le appartiene, adesso o nei 30 giorni.
        </p>
        <PharmacyExportPart pharmacyId={pharmacy.id} name={pharmacy.name} newest={null} />
      </div>
    </CodeDialog>
  )
}
