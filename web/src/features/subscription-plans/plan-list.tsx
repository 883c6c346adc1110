import { featureNames } from '@bancone/contract/feature-names'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { type ItemActions, ItemMenu } from '../../ui/item-menu.tsx'
import { limitText, pharmacyCount, priceText } from './plan-texts.ts'

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

export function PlanList({ plans, actions }: PlanListProps) {
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
