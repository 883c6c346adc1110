import { adminMigrationPath } from '@bancone/contract/admin-pages'
import { type AdminPharmacy, removePharmacy } from '@bancone/contract/admin-pharmacies'
import { paths } from '@bancone/contract/pages'
import { listDeletedPharmacies } from '@bancone/contract/pharmacy-deletion'
import { useQueryClient } from '@tanstack/react-query'
import { Building2, FileUp, Plus } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { z } from 'zod/mini'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { withTextInHash } from '../../lib/list-search.ts'
import { errorMessage } from '../../lib/messages.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { unlessGone } from '../../lib/use-action.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { CodeDialog } from '../../ui/code-dialog.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PagedItems } from '../../ui/list-pages.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SearchedList } from '../../ui/searched-list.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PharmacyExportPart } from './deleted/pharmacy-export.tsx'
import { PharmacyList, PharmacyListSkeleton } from './pharmacy-list.tsx'
import {
  invalidatePharmacies,
  useAdminPharmacies,
  useAdminPharmaciesAhead,
} from './use-admin-pharmacies.ts'
import { useSwitchPharmacy } from './use-switch-pharmacy.ts'

const pharmaciesUrl = withTextInHash(
  searchParamsFormat(
    z.object({ page: z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1) }),
  ),
)

const texts = {
  placeholder: 'Codice, nome, email o indirizzo',
  failed: 'Errore nel caricamento delle farmacie',
  found: 'Farmacie trovate',
  empty: 'Nessuna farmacia',
  emptyHint: "Non c'è ancora nessuna farmacia: crea la prima.",
  noneFound: 'Nessuna farmacia trovata',
  advice: ': controlla come è scritto, oppure prova con una parola sola.',
  showAll: 'Mostra tutte le farmacie',
}

/** Asks for the list while it is not known yet whether it may be shown. A refusal is shown by nothing. */
export function PharmaciesAhead() {
  useAdminPharmaciesAhead()
  return <PageSpinner />
}

/** The list of all pharmacies. */
export function PharmaciesPage() {
  const query = useAdminPharmacies()
  const url = useUrlFilter(pharmaciesUrl)
  const [{ page }, change] = url
  const { search: params, hash } = useLocation()
  const switches = useSwitchPharmacy()
  const newLink = useRef<HTMLAnchorElement>(null)
  const removing = useOpened<AdminPharmacy>(newLink)
  const moving = useOpened<AdminPharmacy>(newLink)
  const { item: moved } = moving
  const back = { list: params + hash }
  const create = (ref?: RefObject<HTMLAnchorElement | null>) => (
    <Link
      ref={ref}
      to={paths.adminNewPharmacy}
      state={back}
      className={buttonStyle({ look: 'primary' })}
    >
      <Plus aria-hidden />
      Nuova farmacia
    </Link>
  )

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
          {create(newLink)}
        </div>
      </div>
      <SearchedList
        query={query}
        items={query.data?.pharmacies}
        textsOf={({ pharmacy_id: code, name, email, address }) => [code, name, email, address]}
        url={url}
        texts={texts}
        icon={<Building2 />}
        skeleton={<PharmacyListSkeleton />}
        emptyAction={create()}
      >
        {(found) => (
          <PagedItems
            items={found}
            label="Pagine delle farmacie"
            text={found.length === 1 ? '1 farmacia' : `${formatNumber(found.length)} farmacie`}
            page={page}
            onPage={(next) => {
              change({ page: next })
              window.scrollTo({ top: 0 })
            }}
          >
            {(pharmacies) => (
              <PharmacyList
                items={pharmacies.map((pharmacy) => ({
                  pharmacy: switches.shown(pharmacy),
                  busy: switches.isPending(pharmacy.id),
                  back,
                  onActive: (active) => switches.changeStatus(pharmacy, active),
                  onSource: (opener) => moving.open(pharmacy, opener),
                  onRemove: (opener) => removing.open(pharmacy, opener),
                }))}
              />
            )}
          </PagedItems>
        )}
      </SearchedList>
      {moved ? (
        <SourceDialog
          pharmacy={moved}
          onConfirm={() => switches.changeSource(moved)}
          {...moving.modal}
        />
      ) : null}
      {removing.item ? <DeletePharmacyDialog pharmacy={removing.item} {...removing.modal} /> : null}
    </div>
  )
}

type SourceDialogProps = ModalProps & {
  pharmacy: AdminPharmacy
  /** @throws when the server refuses it */
  onConfirm: () => Promise<void>
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

type DeletePharmacyDialogProps = ModalProps & { pharmacy: AdminPharmacy }

/** Deletes a pharmacy, and offers an export of it. */
function DeletePharmacyDialog(props: DeletePharmacyDialogProps) {
  const { pharmacy, ...modal } = props
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
      {...modal}
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
