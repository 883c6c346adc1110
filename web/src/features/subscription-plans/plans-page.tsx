import { featureNames } from '@bancone/contract/feature-names'
import { getSettings } from '@bancone/contract/settings'
import {
  listSubscriptionPlans,
  removeSubscriptionPlan,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { Layers } from 'lucide-react'
import { call } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { NamedListPage } from '../../ui/named-list-page.tsx'
import { PlanSheet } from './plan-sheet.tsx'
import { limitText, pharmacyCount, priceText } from './plan-texts.ts'

const texts = {
  title: 'Piani di abbonamento',
  create: 'Nuovo piano',
  failed: 'Errore nel caricamento dei piani di abbonamento',
  loading: 'Caricamento dei piani in corso…',
  found: 'Piani trovati',
  empty: 'Nessun piano di abbonamento',
  emptyHint:
    'Crea il primo: ogni farmacia ha un piano, che decide le sue funzionalità e quante offerte può tenere attive.',
  noneFound: 'Nessun piano trovato',
  showAll: 'Mostra tutti i piani',
  caption: 'Piani di abbonamento, per prezzo',
}

/** The subscription plans. */
export function PlansPage() {
  const query = useEndpoint(listSubscriptionPlans, {})
  // A new plan begins with the defaults.
  useEndpoint(getSettings, {})
  return (
    <NamedListPage<SubscriptionPlan>
      query={query}
      items={query.data?.plans}
      texts={texts}
      icon={<Layers />}
      createsFromEmpty
      overlay="plan"
      nameWidth="w-32 xl:w-44"
      columns={[
        {
          name: 'Offerte massime',
          width: 'w-24',
          numeric: true,
          className: 'text-right tabular-nums',
          cell: ({ max_offers }) => limitText(max_offers),
        },
        {
          name: 'Prezzo',
          width: 'w-26',
          numeric: true,
          className: 'text-right font-medium tabular-nums',
          cell: ({ price }) => priceText(price),
        },
        { name: 'Funzionalità', width: 'w-80 xl:w-96', cell: Features },
        {
          name: 'Farmacie',
          width: 'w-22',
          numeric: true,
          className: 'text-right tabular-nums',
          cell: ({ pharmacies }) => pharmacies,
        },
      ]}
      cardClassName="gap-2"
      Card={CardTexts}
      Sheet={PlanSheet}
      removal={{
        question: 'Eliminare il piano',
        text: 'Sei sicuro di voler eliminare questo piano? Questa azione non può essere annullata.',
        done: 'Piano eliminato',
        remove: (planId) => call(removeSubscriptionPlan, { params: { planId } }),
        goneCode: 'plans.not_found',
        list: listSubscriptionPlans,
        failed: "Errore durante l'eliminazione del piano.",
        inUse: {
          code: 'plans.in_use',
          detail: 'pharmacies',
          text: (count) =>
            `Impossibile eliminare il piano: è utilizzato da ${pharmacyCount(count)}`,
        },
      }}
    />
  )
}

/** What a card shows below name and description. */
function CardTexts({ price, max_offers, pharmacies, features }: SubscriptionPlan) {
  return (
    <>
      <p className="text-sm tabular-nums">
        <span className="font-medium">{priceText(price)}</span>
        <span className="text-muted">
          {' '}
          · Offerte massime: {limitText(max_offers)} · {pharmacyCount(pharmacies)}
        </span>
      </p>
      <Features features={features} />
    </>
  )
}

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
