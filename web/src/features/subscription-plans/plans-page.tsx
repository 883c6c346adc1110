import { featureNames } from '@bancone/contract/feature-names'
import { getSettings } from '@bancone/contract/settings'
import {
  DEFAULT_MAX_OFFERS,
  removeSubscriptionPlan,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { useQueryClient } from '@tanstack/react-query'
import { Layers, Plus } from 'lucide-react'
import { useRef } from 'react'
import { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { useEndpoint, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { searchable } from '../../lib/searchable.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { useGuardedOverlay } from '../../lib/use-guarded-overlay.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { cn } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { type ItemActions, ItemMenu } from '../../ui/item-menu.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PlanSheet } from './plan-sheet.tsx'
import { limitText, pharmacyCount, priceText, removalFailure } from './plan-texts.ts'
import { invalidatePlans, usePlans } from './use-plans.ts'

const MAX_LETTERS = 100

const plansUrl = searchParamsFormat(
  z.object({ q: z.catch(z.string().check(z.maxLength(MAX_LETTERS)), '') }),
)

function matches({ name, description }: SubscriptionPlan, words: string): boolean {
  return searchable(`${name} ${description ?? ''}`).includes(searchable(words.trim()))
}

/** The subscription plans. */
export function PlansPage() {
  useDocumentTitle('Piani di abbonamento')
  const query = usePlans()
  const defaults = useEndpoint(getSettings, {}).data?.plan_defaults
  const [{ q }, change] = useUrlFilter(plansUrl)
  const search = useSearchText({
    inUrl: q,
    onSearch: (text, options) => change({ q: text }, options),
  })
  const newButton = useRef<HTMLButtonElement>(null)
  const creating = useGuardedOverlay('new-plan')
  const editing = useGuardedOverlay('plan')
  const changing = useOpened<SubscriptionPlan>(newButton)
  const removing = useOpened<SubscriptionPlan>(newButton)
  const edit: typeof changing.open = (item, opener) => {
    changing.open(item, opener)
    editing.open()
  }
  const found = query.data?.plans.filter((plan) => matches(plan, q))

  const newPlan = (ref?: typeof newButton) => (
    <Button ref={ref} look="primary" aria-haspopup="dialog" onClick={creating.open}>
      <Plus aria-hidden />
      Nuovo piano
    </Button>
  )
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Piani di abbonamento</PageTitle>
        {newPlan(newButton)}
      </div>
      <div className="flex">
        <SearchField
          search={search}
          placeholder="Nome o descrizione"
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
        />
      </div>
      <p role="status" className="sr-only">
        {found && q.trim() !== '' ? `Piani trovati: ${found.length}` : null}
      </p>
      <QueryStates
        query={query}
        title="Errore nel caricamento dei piani di abbonamento"
        skeleton={<CardListSkeleton text="Caricamento dei piani in corso…" />}
      >
        {({ plans }) =>
          found && found.length > 0 ? (
            <PlanList plans={found} actions={{ onChange: edit, onRemove: removing.open }} />
          ) : plans.length === 0 ? (
            <EmptyList icon={<Layers />} title="Nessun piano di abbonamento" action={newPlan()}>
              Crea il primo: ogni farmacia ha un piano, che decide le sue funzionalità e quante
              offerte può tenere attive.
            </EmptyList>
          ) : (
            <EmptyList
              icon={<Layers />}
              title="Nessun piano trovato"
              action={<Button onClick={search.clear}>Mostra tutti i piani</Button>}
            >
              <span className="wrap-anywhere">Hai cercato «{q.trim()}».</span>
            </EmptyList>
          )
        }
      </QueryStates>
      {creating.isOpen ? (
        <PlanSheet
          plan={null}
          newMaxOffers={defaults ? defaults.value.maxOffers : DEFAULT_MAX_OFFERS}
          overlay={creating}
          onReturnFocus={() => newButton.current?.focus()}
        />
      ) : null}
      {editing.isOpen && changing.item ? (
        <PlanSheet
          key={changing.item.id}
          plan={changing.item}
          newMaxOffers={defaults ? defaults.value.maxOffers : DEFAULT_MAX_OFFERS}
          overlay={editing}
          onReturnFocus={changing.returnFocus}
        />
      ) : null}
      {removing.item ? (
        <DeletePlanDialog
          plan={removing.item}
          onClose={removing.close}
          onReturnFocus={removing.returnFocus}
        />
      ) : null}
    </div>
  )
}

type DeletePlanDialogProps = {
  plan: SubscriptionPlan
  onClose: () => void
  onReturnFocus: () => void
}

/** Deletes a plan. */
function DeletePlanDialog({ plan, onClose, onReturnFocus }: DeletePlanDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeSubscriptionPlan)

  async function remove() {
    try {
      await mutateAsync({ params: { planId: plan.id } })
    } catch (reason) {
      // The plan has been deleted elsewhere already.
      if (!hasCode(reason, 'plans.not_found')) throw reason
    }
    await invalidatePlans(client)
    toastSuccess('Piano eliminato', { description: plan.name })
  }

  return (
    <ConfirmDialog
      title={`Eliminare il piano «${plan.name}»?`}
      text="Sei sicuro di voler eliminare questo piano? Questa azione non può essere annullata."
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={removalFailure}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}

const cell = 'border-b border-line px-2.5 py-2.5 align-middle first:pl-3.5 last:pr-3.5'

const columns = [
  { name: 'Nome', width: 'w-32 xl:w-44' },
  { name: 'Descrizione', width: '' },
  { name: 'Offerte massime', width: 'w-24', numeric: true },
  { name: 'Prezzo', width: 'w-26', numeric: true },
  { name: 'Funzionalità', width: 'w-80 xl:w-96' },
  { name: 'Farmacie', width: 'w-22', numeric: true },
  { name: 'Azioni', width: 'w-16', head: <span className="sr-only">Azioni</span> },
]

type PlanItemProps = { plan: SubscriptionPlan; actions: ItemActions<SubscriptionPlan> }

function Features({ features }: Pick<SubscriptionPlan, 'features'>) {
  if (features.length === 0) return <span className="text-sm text-muted">Nessuna</span>
  return (
    <ul className="flex flex-wrap gap-1">
      {features.map((feature) => (
        <li
          key={feature}
          className="rounded-full border border-line bg-sunken px-2 py-0.5 text-xs whitespace-nowrap"
        >
          {featureNames[feature]}
        </li>
      ))}
    </ul>
  )
}

function PlanRow({ plan, actions }: PlanItemProps) {
  return (
    <tr>
      <th scope="row" className={cn(cell, 'text-left wrap-anywhere')}>
        {plan.name}
      </th>
      <td className={cn(cell, 'text-muted')}>
        <span className="line-clamp-2 wrap-anywhere">{plan.description}</span>
      </td>
      <td className={cn(cell, 'text-right tabular-nums')}>{limitText(plan.max_offers)}</td>
      <td className={cn(cell, 'text-right font-medium tabular-nums')}>{priceText(plan.price)}</td>
      <td className={cell}>
        <Features features={plan.features} />
      </td>
      <td className={cn(cell, 'text-right tabular-nums')}>{plan.pharmacies}</td>
      <td className={cn(cell, 'py-1')}>
        <ItemMenu item={plan} actions={actions} />
      </td>
    </tr>
  )
}

function PlanCard({ plan, actions }: PlanItemProps) {
  return (
    <li className="flex flex-col gap-2 rounded-card border border-line bg-surface p-3.5">
      <div className="-mt-1.5 -mr-1.5 flex items-start justify-between gap-2">
        <h2 className="pt-2.5 leading-snug font-medium wrap-anywhere">{plan.name}</h2>
        <ItemMenu item={plan} actions={actions} />
      </div>
      {plan.description ? (
        <p className="text-sm text-pretty wrap-anywhere text-muted">{plan.description}</p>
      ) : null}
      <p className="text-sm tabular-nums">
        <span className="font-medium">{priceText(plan.price)}</span>
        <span className="text-muted">
          {' '}
          · Offerte massime: {limitText(plan.max_offers)} · {pharmacyCount(plan.pharmacies)}
        </span>
      </p>
      <Features features={plan.features} />
    </li>
  )
}

type PlanListProps = { plans: readonly SubscriptionPlan[]; actions: ItemActions<SubscriptionPlan> }

function PlanList({ plans, actions }: PlanListProps) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label="Piani di abbonamento" className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} actions={actions} />
        ))}
      </ul>
    )
  }
  return (
    <DataTable caption="Piani di abbonamento, per prezzo" columns={columns} cell={cell}>
      {plans.map((plan) => (
        <PlanRow key={plan.id} plan={plan} actions={actions} />
      ))}
    </DataTable>
  )
}
