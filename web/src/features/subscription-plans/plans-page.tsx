import { getSettings } from '@bancone/contract/settings'
import { DEFAULT_MAX_OFFERS, type SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { Layers, Plus } from 'lucide-react'
import { useRef } from 'react'
import { z } from 'zod'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { searchable } from '../../lib/searchable.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useGuardedOverlay } from '../../lib/use-guarded-overlay.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { DeletePlanDialog } from './delete-plan-dialog.tsx'
import { PlanList } from './plan-list.tsx'
import { PlanSheet } from './plan-sheet.tsx'
import { usePlans } from './use-plans.ts'

const MAX_LETTERS = 100

const plansUrl = searchParamsFormat(z.object({ q: z.string().max(MAX_LETTERS).catch('') }))

function matches({ name, description }: SubscriptionPlan, words: string): boolean {
  return searchable(`${name} ${description ?? ''}`).includes(searchable(words.trim()))
}

/** The subscription plans. */
export function PlansPage() {
  const query = usePlans()
  const defaults = useEndpoint(getSettings, {}).data?.plan_defaults
  const [{ q }, change] = useUrlFilter(plansUrl)
  const search = useSearchText({
    inUrl: q,
    normalize: (text) => text,
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
          placeholder="Nome o descrizione"
          value={search.text}
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
          onType={search.type}
          onKeyDown={({ key }) => (key === 'Escape' ? search.clear() : undefined)}
          onClear={search.clear}
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
